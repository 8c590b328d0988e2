/** The table screen: the cloth with the seats, the decision, and the viewer's own cards. */
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { LiveRegion } from "../a11y/LiveRegion";
import { BackPatterns, Pictures, Symbols } from "../cards/Symbols";
import { assignInks } from "../cards/suits";
import type { Action, Answer, View } from "../protocol/types";
import { prefersReducedMotion, settings } from "../settings/settings";
import { playSound } from "../settings/sound";
import { ConnectionNote } from "../shell/ConnectionNote";
import { type Panel, TopBar } from "../shell/TopBar";
import { findIndexTargets, indexKey, isIndexChosen } from "../state/indexTargets";
import { type Device, isClearedByOutsideTap, point as pointAt } from "../state/pointing";
import {
  blockedReason,
  clearPicked,
  moveOfAlternative,
  type PlayerSelection,
  type Target,
  targetState,
} from "../state/selection";
import { type ClientState, faceOf as facesOf, type TableStore } from "../state/store";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { lineText } from "../text/line";
import { Announcements, Notices, useEndHold } from "./Announcements";
import { useCardFlights } from "./cardFlights";
import {
  CurrentTableProvider,
  type DecisionState,
  DecisionStateProvider,
  EnvironmentProvider,
  type TableEnvironment,
} from "./context";
import { splitStatus } from "./counters";
import { DecisionBar } from "./DecisionBar";
import { DiceTray } from "./DiceTray";
import { Felt } from "./Felt";
import { picksCards, useHeldAnswer } from "./heldAnswer";
import { useTableKeys } from "./keyboard";
import {
  AllHandsPanel,
  EndBanner,
  LogDock,
  PausedVeil,
  Scoreboard,
  ScoreSheetAside,
  ScoreSheetPanel,
  useLateParts,
  ZoneCardsPanel,
} from "./late";
import { OwnCards } from "./OwnCards";
import { OwnSeat } from "./OwnSeat";
import { hasTextCards, placeZones } from "./placement";
import { SeatReaction } from "./Reactions";
import { isRow } from "./scores";
import { isPhone, isSideways, logFromPx, scoreSheetFrom } from "./sizes";
import { useViewport } from "./useSize";
import "./table.css";

export interface TableScreenProps {
  store: TableStore;
  /** Resolves when the server has acknowledged the action, and rejects with the refusal. */
  send: (action: Action) => Promise<void>;
  onHome: () => void;
  onReplay?: (() => void) | null;
  onPanel?: (panel: Panel) => void;
  unread?: number;
  /** Drawn at the foot of the screen; a replay draws its controls here, which can show all hands. */
  foot?: (showHands: () => void) => React.ReactNode;
}

export function TableScreen(props: TableScreenProps) {
  const { store, send, onHome, onReplay = null, onPanel, unread = 0, foot } = props;
  const snapshot = useSyncExternalStore(store.subscribe, store.get);
  const root = useRef<HTMLDivElement>(null);
  const scrollArea = useRef<HTMLDivElement>(null);
  const device = useRef<Device>("key");
  const viewport = useViewport();
  const [reason, setReason] = useState<string | null>(null);
  const [overlay, setOverlay] = useState<number | "hands" | "sheet" | "scores" | null>(null);
  const { view, info, table, game, you, selection } = snapshot;
  useCardFlights(store, root, view);
  useTitle(snapshot.view?.decision !== undefined, game?.name ?? "");
  useSounds(store);
  const endWaits = useEndHold(snapshot);
  useLateParts();

  // Only a decision needs the faces. Without one the screen does not look them up after every move.
  const decision = view?.decision;
  const viewWithDecision = decision ? view : null;
  const faceOf = useMemo(() => facesOf(viewWithDecision), [viewWithDecision]);
  const reader = useMemo(() => {
    const names = new Map(info?.players.map((player) => [player.seat, isolateName(player.name)]) ?? []);
    return { nameOf: (seat: number) => names.get(seat) ?? text.table.seat(seat + 1), faces: table?.faces ?? [] };
  }, [info?.players, table?.faces]);

  const textCards = useMemo(() => {
    const faces = table?.faces ?? [];
    assignInks(faces);
    return hasTextCards(faces);
  }, [table?.faces]);
  const { rem } = viewport;
  const narrow = isPhone(viewport);
  const sideways = isSideways(viewport);
  // Cards with text do not fit on a phone. They scroll, and the decision stands below them, where it covers no card.
  const decisionBelow = textCards && narrow && !sideways;

  // A reason belongs to one decision.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs for each new decision.
  useEffect(() => setReason(null), [view?.decision?.id]);
  // The next decision is about something on the table, and the person may have scrolled down to the hand.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs for each new decision.
  useEffect(() => {
    if (decisionBelow) scrollArea.current?.scrollTo({ top: 0 });
  }, [view?.decision?.id, decisionBelow]);

  const act = useCallback((action: Action) => void send(action).catch(() => undefined), [send]);
  const sendMove = useCallback(
    (move: Answer) => void send({ type: "move", ...move }).catch(() => store.set({ sending: false })),
    [send, store],
  );
  const { held, hold, takeBack } = useHeldAnswer(store, sendMove);
  const answer = useCallback(
    (move: Answer) => {
      if (store.get().sending) return;
      store.set({ sending: true, refusal: null });
      setReason(null);
      if (textCards && !settings().confirm && picksCards(store.get().view?.decision, move)) hold(move);
      else sendMove(move);
    },
    [store, textCards, hold, sendMove],
  );
  const select = useCallback(
    (next: PlayerSelection) => {
      setReason(null);
      store.select(next);
    },
    [store],
  );
  const point = useCallback(
    (target: Target, inputDevice?: Device) => {
      const now = store.get();
      const decision = now.view?.decision;
      if (!decision || now.sending) return;
      const faces = facesOf(now.view);
      // Cards with text are read in the prompt before they are sent, so that a click only selects them.
      const asksFirst = () => settings().confirm || textCards;
      const indexed = findIndexTargets(decision, now.table ?? undefined, now.view).get(indexKey(target));
      if (indexed && targetState(decision, now.selection, target, faces) === "idle") {
        const { alternative, scalars } = indexed;
        const isChosen = isIndexChosen(indexed, now.selection);
        const next = { ...now.selection, scalars: { ...now.selection.scalars, ...scalars } };
        const isDirect = isChosen || ((inputDevice ?? device.current) !== "touch" && !asksFirst());
        const move = isDirect ? moveOfAlternative(decision, alternative, next, faces) : null;
        select(next);
        if (move) answer(move);
        return;
      }
      const result = pointAt(decision, now.selection, target, inputDevice ?? device.current, asksFirst(), faces);
      if (result.refused && target.kind === "card") {
        const line = blockedReason(decision, target.handle);
        setReason(line ? lineText(line, reader) : text.table.cannot);
        return;
      }
      select(result.selection);
      if (result.answer) answer(result.answer);
    },
    [store, reader, select, answer, textCards],
  );
  const dismiss = useCallback((id: number) => store.dismiss(id), [store]);
  const clear = useCallback(() => {
    setReason(null);
    store.select(clearPicked(store.get().selection));
  }, [store]);
  useTableKeys({ root, onClear: clear });

  // Digit keys act like a finger. `keyboard.ts` sends this event to the button of the target.
  useEffect(() => {
    const element = root.current;
    const onPick = (event: Event) => {
      device.current = "touch";
      (event.target as HTMLElement).click();
      device.current = "key";
    };
    element?.addEventListener("baize-pick", onPick);
    return () => element?.removeEventListener("baize-pick", onPick);
  });

  const placed = useMemo(() => (table && view ? placeZones(table, view) : null), [table, view]);
  const environment = useMemo((): TableEnvironment | null => {
    if (!info || !table || !game || !you) return null;
    const face: TableEnvironment["face"] = (id) => (id === undefined ? undefined : table.faces[id]);
    const theme = { back: game.theme.back ?? "plain", emblem: game.theme.emblem ?? "" };
    const fade = (id: number) => store.removeReaction(id);
    return {
      game,
      table,
      info,
      you,
      face,
      reader,
      theme,
      rem,
      narrow,
      point,
      select,
      answer,
      act,
      fade,
      openOverlay: setOverlay,
    };
  }, [game, table, info, you, reader, rem, narrow, point, select, answer, act, store]);
  const highlights = view?.highlights;
  const indexTargets = useMemo(
    () => findIndexTargets(decision, table ?? undefined, viewWithDecision),
    [decision, table, viewWithDecision],
  );
  const decisionState = useMemo(
    () => ({
      decision,
      selection,
      faceOf,
      stateOf: (target: Target) => {
        const state = targetState(decision, selection, target, faceOf);
        const indexed = state === "idle" ? indexTargets.get(indexKey(target)) : undefined;
        return indexed ? (isIndexChosen(indexed, selection) ? "chosen" : "open") : state;
      },
      highlighted: new Set(highlights),
    }),
    [decision, selection, faceOf, highlights, indexTargets],
  );
  if (!view || !environment || !placed) return null;
  const { cloth } = environment.game.theme;
  const { lines: status } = splitStatus(environment.table, view, reader);
  const hasScoreSheet = viewport.width >= scoreSheetFrom * rem && view.seats.some(({ badges }) => badges.some(isRow));
  const hasLog = viewport.width >= logFromPx && !sideways;
  const decisionArea = (
    <>
      <Notices onDismiss={dismiss} />
      <DecisionBar keepsHeight={!decisionBelow && !sideways} held={held !== null} onTakeBack={takeBack} />
    </>
  );
  return (
    <Contexts {...{ environment, decisionState, view, snapshot, reason }}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a tap outside of all targets clears the selection; on a keyboard, Escape does. */}
      <main
        ref={root}
        className={`table-screen ${decisionBelow ? "asked-below" : ""} ${sideways ? "sideways" : ""} ${hasScoreSheet ? "with-sheet" : ""} ${hasLog ? "with-log" : ""}`}
        data-cloth={cloth ?? "green"}
        onPointerDownCapture={(event) => {
          device.current = event.pointerType === "mouse" ? "mouse" : "touch";
        }}
        onKeyDownCapture={() => {
          device.current = "key";
        }}
        onClick={(event) => {
          const interactive = (event.target as HTMLElement).closest("button, input, label, [data-keep]");
          if (!interactive && isClearedByOutsideTap(decision, selection, faceOf)) clear();
          if (!interactive) setReason(null);
        }}
      >
        <Symbols />
        <Pictures faces={environment.table.faces} />
        <BackPatterns />
        <div className="table-rim" aria-hidden="true" />
        <TopBar
          title={environment.game.name}
          status={status.length > 0 && status.map((line, i) => <span key={String(i)}>{lineText(line, reader)}</span>)}
          onPanel={onPanel}
          onHome={onHome}
          unread={unread}
          brief
        />
        <Announcements endWaits={endWaits} onDismiss={dismiss} />
        <div ref={scrollArea} className="table-ground">
          <Felt placed={placed} textCards={textCards} />
          <section className="table-mine" aria-label={text.table.mine}>
            {!decisionBelow && decisionArea}
            <OwnSeat placed={placed} sideways={sideways} hasScoreSheetButton={!hasScoreSheet} />
            {environment.table.dice.some(({ owners }) => owners.includes(view.seat ?? -1)) && (
              <div className="mine-dice">
                <DiceTray owner={view.seat ?? -1} />
              </div>
            )}
            <OwnCards placed={placed} sideways={sideways} />
          </section>
        </div>
        {(hasScoreSheet || hasLog) && (
          <div className="table-aside">
            <Suspense fallback={null}>
              {hasScoreSheet && <ScoreSheetAside />}
              {hasLog && <LogDock store={store} />}
            </Suspense>
          </div>
        )}
        {decisionBelow && <div className="table-asked">{decisionArea}</div>}
        <span className="reactions-aside">
          <SeatReaction seat={null} />
        </span>
        <Suspense fallback={null}>
          <PausedVeil onHome={onHome} onPanel={onPanel} />
          {!endWaits && <EndBanner onHome={onHome} onReplay={onReplay} />}
        </Suspense>
        <ConnectionNote connection={snapshot.connection} />
        <LiveRegion />
      </main>
      <Suspense fallback={null}>
        {overlay === "hands" && <AllHandsPanel onClose={() => setOverlay(null)} />}
        {overlay === "scores" && <Scoreboard onClose={() => setOverlay(null)} />}
        {overlay === "sheet" && !hasScoreSheet && <ScoreSheetPanel onClose={() => setOverlay(null)} />}
        {typeof overlay === "number" && <ZoneCardsPanel zone={overlay} onClose={() => setOverlay(null)} />}
      </Suspense>
      {foot?.(() => setOverlay("hands"))}
    </Contexts>
  );
}

function Contexts(props: {
  environment: TableEnvironment;
  decisionState: DecisionState;
  view: View;
  snapshot: ClientState;
  reason: string | null;
  children: React.ReactNode;
}) {
  const { environment, decisionState, view, snapshot, reason, children } = props;
  return (
    <EnvironmentProvider value={environment}>
      <DecisionStateProvider value={decisionState}>
        <CurrentTableProvider value={{ ...environment, ...decisionState, view, snapshot, reason }}>
          {children}
        </CurrentTableProvider>
      </DecisionStateProvider>
    </EnvironmentProvider>
  );
}

/** Puts "Your turn" into the title of the window. */
function useTitle(turn: boolean, game: string): void {
  useEffect(() => {
    document.title = turn ? text.table.turnTitle(game) : game || text.brand;
    return () => {
      document.title = text.brand;
    };
  }, [turn, game]);
}

function useSounds(store: TableStore): void {
  useEffect(
    () =>
      store.onBeforeChange((batch) => {
        if (prefersReducedMotion() && !settings().sound) return;
        for (const event of batch.events) {
          if ("outcome" in event) return void playSound("end");
          if ("announced" in event && event.announced.kind === "shout") return playSound("shout");
        }
        if (batch.events.some((event) => "decision" in event && event.decision.decision)) return playSound("turn");
        if (batch.events.some((event) => "moved" in event)) playSound("card");
      }),
    [store],
  );
}
