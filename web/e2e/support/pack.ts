/** Packs for tests. */
import type { PacksImported } from "../../src/protocol/types";
import type { Server } from "./server";

export interface Pack {
  id: string;
  name: string;
  cards: { prompt: { text: string }[]; answer: { text: string }[] };
}

/** Uploads a pack and returns its link. */
export async function uploadPack(server: Server, pack: Pack): Promise<string> {
  const answer = await fetch(`${server.url}/api/packs`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${"a".repeat(32)}` },
    body: JSON.stringify(pack),
  });
  if (!answer.ok) throw new Error(`the pack was refused: ${await answer.text()}`);
  const { packs } = (await answer.json()) as PacksImported;
  return `${server.url}/packs/${packs[0]?.id}`;
}
