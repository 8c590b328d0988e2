/** The spectators: a sentence for everybody, and for the lead a list with actions. */
import { Fragment, useState } from "react";
import type { Action, TableInfo, You } from "../protocol/types";
import { ConfirmDialog } from "../shell/ConfirmDialog";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";

interface SpectatorsProps {
  info: TableInfo;
  you: You;
  isLead: boolean;
  act: (action: Action) => void;
}

/** How many names the sentence has; after them it tells only a number. */
const MAX_NAMES = 12;

export function Spectators({ info: { spectators }, you, isLead, act }: SpectatorsProps) {
  const [kicking, setKicking] = useState<string | null>(null);
  if (spectators.length === 0) return null;
  if (!isLead) {
    const more = spectators.length - MAX_NAMES;
    return (
      <p className="watchers">
        {text.panel.watchers(spectators.length)}:{" "}
        {spectators.slice(0, MAX_NAMES).map(({ id, name }, at) => (
          <Fragment key={id}>
            {at > 0 && ", "}
            <bdi>{name}</bdi>
          </Fragment>
        ))}
        {more > 0 && `${text.table.and}${text.table.others(more)}`}
      </p>
    );
  }
  return (
    <section aria-label={text.panel.watchers(spectators.length)}>
      <p className="watchers">{text.panel.watchers(spectators.length)}</p>
      <ul className="people watching">
        {spectators.map(({ id, name, muted = false }) => (
          <li key={id} aria-label={isolateName(name)}>
            <span className="person-name">
              <bdi>{name}</bdi>
              {muted && <small>{text.panel.muted}</small>}
            </span>
            {id !== you.id && (
              <>
                <button
                  type="button"
                  className="button small"
                  aria-label={text.panel.muteWhom(isolateName(name), muted)}
                  onClick={() => act({ type: "mute", playerId: id, muted: !muted })}
                >
                  {muted ? text.panel.unmute : text.panel.mute}
                </button>
                <button
                  type="button"
                  className="button small danger"
                  aria-label={text.panel.kick(isolateName(name))}
                  onClick={() => setKicking(id)}
                >
                  ×
                </button>
              </>
            )}
            {kicking === id && (
              <ConfirmDialog
                question={text.panel.kickWatcherSure(isolateName(name))}
                yes={text.panel.kickYes}
                onYes={() => {
                  setKicking(null);
                  act({ type: "kickPlayer", playerId: id });
                }}
                onNo={() => setKicking(null)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
