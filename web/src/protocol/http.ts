/** The HTTP part of the server's interface: games, tables, packs, replays. */
import { text } from "../text/catalogue";
import { secret } from "./identity";
import type {
  CreatedTable,
  CreateTable,
  Definition,
  Deleted,
  HttpRefused,
  MemberTables,
  Online,
  PackInfo,
  PackPage,
  PacksImported,
  Replay,
  TableCard,
  TableDefinition,
  TableLog,
  Workshop,
} from "./types";

export class RefusalError extends Error {
  readonly code: string;
  readonly refused: HttpRefused | null;

  constructor(code: string, message: string, refused: HttpRefused | null) {
    super(message);
    this.code = code;
    this.refused = refused;
  }
}

export const http = {
  /** Sends no secret, so that the browser can use the response that it has preloaded with the page. */
  games: () => readResponse<Definition[]>(fetch("/api/games")),
  game: (id: string) => readResponse<Definition>(fetch(`/api/games/${encodeURIComponent(id)}`)),
  online: () => readResponse<Online>(fetch("/api/online")),
  workshop: () => request<Workshop>("/api/workshop"),
  /** The server's packs, and the packs that this browser has uploaded. */
  packs: async () => {
    const all: PackInfo[] = [];
    let after: string | undefined = "";
    // Packs beyond this limit can be found by their links.
    for (let pages = 0; after !== undefined && pages < MAX_PAGES; pages += 1) {
      const page: PackPage = await request<PackPage>(`/api/packs?limit=500&after=${encodeURIComponent(after)}`);
      all.push(...page.packs);
      after = page.next;
    }
    return all;
  },
  pack: (id: string) => request<PackInfo>(`/api/packs/${encodeURIComponent(id)}/info`),
  deletePack: (id: string) => request<Deleted>(`/api/packs/${encodeURIComponent(id)}`, undefined, "DELETE"),
  /** Deletes everything that belongs to this browser's secret. */
  forgetMe: () => request<Deleted>("/api/me", undefined, "DELETE"),
  table: (code: string) => request<TableCard>(`/api/tables/${encodeURIComponent(code)}`),
  /** What happened in the current game, before a step or up to now. */
  log: (code: string, before?: number) =>
    request<TableLog>(`/api/tables/${encodeURIComponent(code)}/log${before === undefined ? "" : `?before=${before}`}`),
  myTables: async () => (await request<MemberTables>("/api/me/tables")).tables,
  create: (body: CreateTable) => request<CreatedTable>("/api/tables", JSON.stringify(body)),
  /** Uploads the content of a file: CSV, compact JSON, or our own JSON. */
  importPacks: async (file: string, name: string) =>
    (await request<PacksImported>(`/api/packs?name=${encodeURIComponent(name)}`, file)).packs,
  replay: (game: string) => request<Replay>(`/api/replays/${encodeURIComponent(game)}`),
  /** Definitions never change, so the client fetches each of them once. */
  gameDefinition: (address: string) => fetchOnce<Definition>(address),
  tableDefinition: (address: string) => fetchOnce<TableDefinition>(address),
};

const MAX_PAGES = 4;

const fetched = new Map<string, Promise<unknown>>();

function fetchOnce<T>(address: string): Promise<T> {
  const known = fetched.get(address);
  if (known) return known as Promise<T>;
  const pending = request<T>(address);
  fetched.set(address, pending);
  pending.catch(() => fetched.delete(address));
  return pending;
}

function request<T>(address: string, body?: string, method = body === undefined ? "GET" : "POST"): Promise<T> {
  const headers: Record<string, string> = { authorization: `Bearer ${secret()}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  return readResponse<T>(fetch(address, { headers, method, ...(body === undefined ? {} : { body }) }));
}

async function readResponse<T>(pending: Promise<Response>): Promise<T> {
  const response = await pending.catch(() => {
    // The browser's own message ("Failed to fetch") does not tell people what to do.
    throw new RefusalError("offline", text.errors.offline ?? "", null);
  });
  if (response.ok) return (await response.json()) as T;
  const refused = (await response.json().catch(() => null)) as HttpRefused | null;
  throw new RefusalError(refused?.error ?? `http/${response.status}`, refused?.text ?? response.statusText, refused);
}
