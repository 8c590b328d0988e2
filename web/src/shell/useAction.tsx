/** Sending actions to the server, and showing why one was refused. */
import { useState } from "react";
import type { Action } from "../protocol/types";
import { text } from "../text/catalogue";

export type Send = (action: Action) => Promise<void>;

/** What to tell a person about an action that the server refused. */
export const refusalText = (error: { text?: string }): string => error.text ?? text.errors.offline ?? "";

/** Returns a function that sends an action, and the text of the last refusal. */
export function useAction(send: Send): [(action: Action) => void, string] {
  const [refused, setRefused] = useState("");
  const act = (action: Action) => {
    setRefused("");
    send(action).catch((error: { text?: string }) => setRefused(refusalText(error)));
  };
  return [act, refused];
}

export function RefusalNote({ refused }: { refused: string }) {
  return refused ? (
    <p className="chat-refused" role="alert">
      {refused}
    </p>
  ) : null;
}
