/** People without a browser, who only sit at a table: a crowd of them costs nothing. */
import { randomBytes } from "node:crypto";
import { type ClientMessage, PROTOCOL_VERSION, type ServerMessage } from "../../src/protocol/types";
import { WebSocketClient } from "./webSocketClient";

/** Seats a guest for each name, and returns how to close their connections. */
export async function seatGuests(server: string, code: string, names: string[]): Promise<() => void> {
  const guests = await Promise.all(names.map(() => WebSocketClient.connect(`${server.replace(/^http/, "ws")}/api/ws`)));
  // One after the other, so that they sit in the order of their names.
  for (const [i, guest] of guests.entries()) {
    const seated = new Promise<void>((done, failed) => {
      guest.onText = (words) => {
        const message = JSON.parse(words) as ServerMessage;
        if (message.type === "state") done();
        if (message.type === "error") failed(new Error(words));
      };
    });
    const message: ClientMessage = {
      v: PROTOCOL_VERSION,
      type: "action",
      requestId: randomBytes(16).toString("hex"),
      action: { type: "join", table: code, secret: randomBytes(32).toString("base64url"), name: names[i] ?? "" },
    };
    guest.send(JSON.stringify(message));
    await seated;
  }
  return () => {
    for (const guest of guests) guest.close();
  };
}
