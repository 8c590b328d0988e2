/** Replays a finished game: a slider, single steps, speed, all hands, and the fairness check. */
import { useEffect, useMemo, useState } from "react";
import { http } from "../protocol/http";
import type { Definition, Replay, TableDefinition, TableInfo } from "../protocol/types";
import { Icon, type IconName } from "../shell/Icon";
import { Connecting, MessagePage } from "../shell/MessagePage";
import { go } from "../shell/router";
import { EMPTY_LOG, type GameLog } from "../state/log";
import { PlaybackQueue } from "../state/playback";
import { TableStore } from "../state/store";
import { TableScreen } from "../table/TableScreen";
import { replayText } from "../text/replayCatalogue";
import { FairnessPanel } from "./FairnessPanel";
import { Timeline } from "./timeline";
import "./replay.css";

interface Loaded {
  replay: Replay;
  table: TableDefinition;
  definition: Definition;
}

const SPEEDS = [0.5, 1, 2, 4];
/** Milliseconds between steps at speed 1. */
const STEP_MS = 1000;

export default function ReplayPage({ game }: { game: string }) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState("");
  useEffect(() => {
    const load = async () => {
      const replay = await http.replay(game);
      const [table, definition] = await Promise.all([
        http.tableDefinition(replay.tableDefinition),
        http.gameDefinition(replay.gameDefinition),
      ]);
      setLoaded({ replay, table, definition });
    };
    load().catch((error: Error) => setFailed(error.message || replayText.none));
  }, [game]);
  if (failed) return <MessagePage message={failed} />;
  return loaded ? <ReplayScreen {...loaded} /> : <Connecting />;
}

export function ReplayScreen({ replay, table, definition }: Loaded) {
  const timeline = useMemo(() => new Timeline(replay.first, replay.batches), [replay]);
  const [step, setStep] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [fairness, setFairness] = useState(false);
  const store = useMemo(
    () =>
      // A replay has no times.
      new TableStore(
        {
          connection: "open",
          game: definition,
          table,
          view: replay.first,
          you: { id: "" },
          info: tableInfoOf(replay, definition),
        },
        () => 0,
      ),
    [replay, table, definition],
  );
  const playback = useMemo(() => new PlaybackQueue(store), [store]);
  useEffect(() => () => playback.clear(), [playback]);
  // A single step forward is played like a live batch, so that cards fly and delays apply. Any other jump shows the
  // view at once.
  useEffect(() => {
    const now = playback.latestView()?.seq ?? 0;
    const next = timeline.batches[step - 1];
    if (step === now) return;
    if (step === now + 1 && next) {
      playback.flush();
      playback.enqueue(next, replay.narrations?.[step - 1]);
    } else {
      playback.clear();
      store.show(timeline.at(step));
      store.set({ log: logUpTo(replay, step) });
    }
  }, [step, store, playback, timeline, replay]);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => setStep((at) => Math.min(timeline.length, at + 1)), STEP_MS / speed);
    return () => clearInterval(timer);
  }, [playing, speed, timeline]);
  useEffect(() => {
    if (step >= timeline.length) setPlaying(false);
  }, [step, timeline]);
  const button = (icon: IconName, label: string, act: () => void, disabled = false) => (
    <button type="button" className="icon-button" aria-label={label} disabled={disabled} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div className="replay">
      <TableScreen store={store} send={async () => undefined} onHome={() => go("/")} foot={renderControls} />
      {fairness && <FairnessPanel replay={replay} table={table} onClose={() => setFairness(false)} />}
    </div>
  );

  function renderControls(showHands: () => void) {
    return (
      <nav className="replay-bar" aria-label={replayText.title}>
        {button("first", replayText.first, () => setStep(0), step === 0)}
        {button("back", replayText.back, () => setStep(step - 1), step === 0)}
        {button(
          playing ? "pause" : "play",
          playing ? replayText.pause : replayText.play,
          () => setPlaying(!playing),
          step >= timeline.length,
        )}
        {button("forward", replayText.forward, () => setStep(step + 1), step >= timeline.length)}
        {button("last", replayText.last, () => setStep(timeline.length), step >= timeline.length)}
        <input
          type="range"
          min={0}
          max={timeline.length}
          value={step}
          aria-label={replayText.step(step, timeline.length)}
          onChange={(event) => setStep(Number(event.target.value))}
        />
        <select
          className="field"
          aria-label={replayText.speed}
          value={speed}
          onChange={(event) => setSpeed(Number(event.target.value))}
        >
          {SPEEDS.map((value) => (
            <option key={value} value={value}>
              {value}×
            </option>
          ))}
        </select>
        <span className="replay-more">
          <button type="button" className="button small" onClick={showHands}>
            {replayText.hands}
          </button>
          <button type="button" className="button small" onClick={() => setFairness(true)}>
            {replayText.fairness.open}
          </button>
        </span>
      </nav>
    );
  }
}

/** What happened up to a step. */
function logUpTo(replay: Replay, upTo: number): GameLog {
  const told = (replay.narrations ?? []).slice(0, upTo);
  const steps = told.map((narrations, i) => {
    const cause = replay.batches[i]?.cause;
    const seat = typeof cause === "object" && "move" in cause ? { seat: cause.move.seat } : {};
    return { seq: i + 1, at: 0, ...seat, narrations };
  });
  return { ...EMPTY_LOG, steps: steps.filter(({ narrations }) => narrations.length > 0) };
}

/** Table info for the table screen: the names of the players, and nothing else that a room would have. */
function tableInfoOf(replay: Replay, definition: Definition): TableInfo {
  return {
    code: "",
    definitionId: replay.definitionId,
    title: definition.name,
    game: replay.game,
    status: "ended",
    settings: { options: {}, packIds: [] },
    players: replay.names.map((name, seat) => ({
      id: `p${seat + 1}`,
      name,
      seat,
      presence: "active" as const,
      joinedAt: 0,
      lastSeen: 0,
    })),
    spectators: [],
    votes: [],
    createdAt: 0,
    fairness: { commitment: replay.commitment, seed: replay.seed },
    definitions: { game: "" },
  };
}
