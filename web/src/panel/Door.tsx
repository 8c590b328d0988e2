/** Who may come to the table and who may chat. The lead sets it; the others read it. */
import type { Action, Door as DoorState, TableInfo } from "../protocol/types";
import { Segmented, Switch } from "../shell/Fields";
import { text } from "../text/catalogue";

interface DoorProps {
  info: TableInfo;
  isLead: boolean;
  act: (action: Action) => void;
}

const DOORS: DoorState[] = ["open", "ask", "locked"];

export function Door({ info, isLead, act }: DoorProps) {
  const door = info.door ?? "open";
  if (!isLead) {
    const sentences = [
      door !== "open" && text.door.forOthers[door],
      info.chatPlayersOnly && text.door.chatPlayersOnly,
    ].filter(Boolean);
    return sentences.length > 0 ? <p className="watchers">{sentences.join(" ")}</p> : null;
  }
  return (
    <>
      <Segmented
        label={text.door.title}
        value={door}
        options={DOORS.map((each) => [each, text.door.choices[each]])}
        onChange={(chosen) => act({ type: "setDoor", door: chosen })}
      />
      <p className="door-note">{text.door.notes[door]}</p>
      <Switch
        label={text.door.playersOnly}
        value={info.chatPlayersOnly ?? false}
        onChange={(playersOnly) => act({ type: "setChat", playersOnly })}
      />
    </>
  );
}
