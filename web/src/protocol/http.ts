/** The HTTP half of the server: games, tables, packs, replays. */
import { text } from "../text/catalogue";
import { secret } from "./identity";
import type {
  CreatedTable,
  CreateTable,
  Definition,
  Deleted,
  HttpRefused,
  MyTables,
  Online,
  PackInfo,
  PackPage,
  PacksImported,
  Replay,
  TableCard,
  TableDefinition,
  Workshop,
} from "./types";

export class Refusal extends Error {
  readonly code: string;
  readonly refused: HttpRefused | null;

  constructor(code: string, message: string, refused: HttpRefused | null) {
    super(message);
    this.code = code;
    this.refused = refused;
  }
}

export const http = {
  /** Asked for without a secret: so it is the answer that came along with the page. */
  games: () => answered<Definition[]>(fetch("/api/games")),
  online: () => answered<Online>(fetch("/api/online")),
  workshop: () => request<Workshop>("/api/workshop"),
  /** The server's packs, and those that this browser has brought. */
  packs: async () => {
    const all: PackInfo[] = [];
    let after: string | undefined = "";
    // A browser that has brought more than this finds the rest by their links.
    for (let pages = 0; after !== undefined && pages < MOST_PAGES; pages += 1) {
      const page: PackPage = await request<PackPage>(`/api/packs?limit=500&after=${encodeURIComponent(after)}`);
      all.push(...page.packs);
      after = page.next;
    }
    return all;
  },
  pack: (id: string) => request<PackInfo>(`/api/packs/${encodeURIComponent(id)}/info`),
  deletePack: (id: string) => request<Deleted>(`/api/packs/${encodeURIComponent(id)}`, undefined, "DELETE"),
  /** Everything that this browser's secret stands for. */
  forgetMe: () => request<Deleted>("/api/me", undefined, "DELETE"),
  table: (code: string) => request<TableCard>(`/api/tables/${encodeURIComponent(code)}`),
  mine: async () => (await request<MyTables>("/api/me/tables")).tables,
  create: (body: CreateTable) => request<CreatedTable>("/api/tables", JSON.stringify(body)),
  /** A pack as its file has it: CSV, the compact JSON form, or our own. */
  importPacks: async (file: string, name: string) =>
    (await request<PacksImported>(`/api/packs?name=${encodeURIComponent(name)}`, file)).packs,
  replay: (game: string) => request<Replay>(`/api/replays/${encodeURIComponent(game)}`),
  /** Definitions never change, so each is fetched once. */
  gameDefinition: (address: string) => once<Definition>(address),
  tableDefinition: (address: string) => once<TableDefinition>(address),
};

const MOST_PAGES = 4;

const fetched = new Map<string, Promise<unknown>>();

function once<T>(address: string): Promise<T> {
  const known = fetched.get(address);
  if (known) return known as Promise<T>;
  const asked = request<T>(address);
  fetched.set(address, asked);
  asked.catch(() => fetched.delete(address));
  return asked;
}

function request<T>(address: string, body?: string, method = body === undefined ? "GET" : "POST"): Promise<T> {
  const headers: Record<string, string> = { authorization: `Bearer ${secret()}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  return answered<T>(fetch(address, { headers, method, ...(body === undefined ? {} : { body }) }));
}

async function answered<T>(asked: Promise<Response>): Promise<T> {
  const answer = await asked.catch(() => {
    // The browser's own words ("Failed to fetch") tell nobody what to do.
    throw new Refusal("offline", text.errors.offline ?? "", null);
  });
  if (answer.ok) return (await answer.json()) as T;
  const refused = (await answer.json().catch(() => null)) as HttpRefused | null;
  throw new Refusal(refused?.error ?? `http/${answer.status}`, refused?.text ?? answer.statusText, refused);
}
