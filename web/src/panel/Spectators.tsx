/** Those who watch: a sentence for everybody, and for the lead a list with what may be done about each. */
import { Fragment } from "react";
import type { Action, TableInfo, You } from "../protocol/types";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";

interface WatchersProps {
  info: TableInfo;
  you: You;
  isLead: boolean;
  act: (action: Action) => void;
}

/** Names in the sentence; of more, how many. */
const NAMED = 12;

export function Spectators({ info: { spectators }, you, isLead, act }: WatchersProps) {
  if (spectators.length === 0) return null;
  if (!isLead) {
    const more = spectators.length - NAMED;
    return (
      <p className="watchers">
        {text.panel.watchers(spectators.length)}:{" "}
        {spectators.slice(0, NAMED).map(({ id, name }, at) => (
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
                  onClick={() => act({ type: "kickPlayer", playerId: id })}
                >
                  ×
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
