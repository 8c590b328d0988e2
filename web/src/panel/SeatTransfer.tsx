/** Moves a seat to another device: the old device shows a code, and the person types it on the new one. */
import { type FormEvent, useState } from "react";
import type { Action } from "../protocol/types";
import type { ClientState } from "../state/store";
import { text } from "../text/catalogue";

interface SeatTransferProps {
  /** Whether this browser has a seat to move. */
  seated: boolean;
  seatCode: ClientState["seatCode"];
  act: (action: Action) => void;
}

export function SeatTransfer({ seated, seatCode, act }: SeatTransferProps) {
  const [code, setCode] = useState("");
  const take = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim()) act({ type: "takeSeat", code: code.trim() });
  };
  if (!seated) {
    return (
      <form className="seat-moving" onSubmit={take}>
        <label className="option">
          <span>{text.panel.takeSeat}</span>
          <input
            className="field"
            value={code}
            autoCapitalize="off"
            onChange={(event) => setCode(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={code.trim() === ""}>
          {text.panel.takeSeatGo}
        </button>
      </form>
    );
  }
  return (
    <div className="seat-moving">
      {seatCode ? (
        <p role="status">
          {text.panel.seatCode} <strong className="seat-code">{seatCode.code}</strong>
        </p>
      ) : (
        <button type="button" className="button" onClick={() => act({ type: "moveSeat" })}>
          {text.panel.moveSeat}
        </button>
      )}
    </div>
  );
}
