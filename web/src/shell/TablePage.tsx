/** The page of one table. It asks for a name if there is none yet, while the table's code is loaded. */
import { lazy, Suspense, useCallback, useState } from "react";
import { isToBeDealt } from "../home/playNow";
import { guestName, myName, rememberName } from "../protocol/identity";
import type { Refused } from "../protocol/types";
import { Connecting } from "./MessagePage";
import { go } from "./router";

export const loadTable = () => import("./ConnectedTable");
const ConnectedTable = lazy(loadTable);
export const loadInvitation = () => import("./Invitation");
const Invitation = lazy(loadInvitation);

/** Refusals that another name can solve. */
const NAME_ERRORS = new Set(["name/taken", "name/not-usable", "seat/none"]);

interface TablePageProps {
  code: string;
  watch: boolean;
  /** The table can't be joined; the first page tells the reason. */
  onTurnedAway: (refused: Refused) => void;
}

export function TablePage({ code, watch, onTurnedAway }: TablePageProps) {
  // Somebody who has just made the table to play at once is known there already.
  const [name, setName] = useState(() => myName() || (isToBeDealt(code) ? guestName() : ""));
  const [asking, setAsking] = useState<string | null>(null);
  const onRefused = useCallback(
    (refused: Refused) => {
      if (NAME_ERRORS.has(refused.error)) setAsking(refused.text);
      else onTurnedAway(refused);
    },
    [onTurnedAway],
  );
  if (asking !== null || (name === "" && !watch)) {
    return (
      <Invitation
        code={code}
        refused={asking ?? ""}
        onName={(given) => {
          rememberName(given);
          setName(given);
          setAsking(null);
        }}
        onNoSeat={onTurnedAway}
        onWatch={() => {
          setAsking(null);
          go(`/t/${code}?watch`);
        }}
      />
    );
  }
  return (
    <Suspense fallback={<Connecting />}>
      <ConnectedTable code={code} name={name} watch={watch} onRefused={onRefused} />
    </Suspense>
  );
}
