/** The table screen: the cloth with the seats, the decision, and the viewer's own cards. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { LiveRegion } from "../a11y/LiveRegion";
import { BackPatterns, Pictures, Symbols } from "../cards/Symbols";
import type { Action, Answer, View } from "../protocol/types";
import { prefersReducedMotion, settings } from "../settings/settings";
import { playSound } from "../settings/sound";
import { ConnectionNote } from "../shell/ConnectionNote";
import { type Panel, TopBar } from "../shell/TopBar";
import { type Device, isClearedByOutsideTap, point as pointAt } from "../state/pointing";
import { blockedReason, clearPicked, type Selection, type Target, targetState } from "../state/selection";
import { faceOf as facesOf, type Snapshot, type TableStore } from "../state/store";
import { text } from "../text/catalogue";
import { isolateName } from "../text/isolate";
import { lineText } from "../text/line";
import { Announcements, Notices } from "./Announcements";
import { useCardFlights } from "./cardFlights";
import {
  CurrentTableProvider,
  type DecisionState,
  DecisionStateProvider,
  EnvironmentProvider,
  type TableEnvironment,
} from "./context";
import { DecisionBar } from "./DecisionBar";
import { DiceTray } from "./DiceTray";
import { EndBanner } from "./EndBanner";
import { Felt } from "./Felt";
import { Hand } from "./Hand";
import { useTableKeys } from "./keyboard";
import { OwnSeat } from "./OwnSeat";
import { PausedModal } from "./PausedModal";
import { hasTextCards, placeZones } from "./placement";
import { SeatReaction } from "./Reactions";
import { ScoreSheetAside, ScoreSheetPanel } from "./ScoreSheet";
import { isRow } from "./scores";
import { isNarrow, scoreSheetFrom } from "./sizes";
import { useViewport } from "./useSize";
import { AllHandsPanel, ZoneCardsPanel } from "./ZoneCards";
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
  const [overlay, setOverlay] = useState<number | "hands" | "sheet" | null>(null);
  const { view, info, table, game, you, selection } = snapshot;
  useCardFlights(store, root, view);
  useTitle(snapshot.view?.decision !== undefined, game?.name ?? "");
  useSounds(store);

  // Only a decision needs the faces. Without one they are not looked up after every move.
  const decision = view?.decision;
  const viewWithDecision = decision ? view : null;
  const faceOf = useMemo(() => facesOf(viewWithDecision), [viewWithDecision]);
  const reader = useMemo(() => {
    const names = new Map(info?.players.map((player) => [player.seat, isolateName(player.name)]) ?? []);
    return { nameOf: (seat: number) => names.get(seat) ?? text.table.seat(seat + 1), faces: table?.faces ?? [] };
  }, [info?.players, table?.faces]);

  const { rem } = viewport;
  const narrow = isNarrow(viewport);
  const textCards = useMemo(() => hasTextCards(table?.faces ?? []), [table?.faces]);
  // Cards with text do not fit on a phone. They scroll, and the decision stands below them, where it covers no card.
  const decisionBelow = textCards && narrow;

  // A reason belongs to one decision.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs for each new decision.
  useEffect(() => setReason(null), [view?.decision?.id]);
  // The next decision is about something on the table, and the person may have scrolled down to the hand.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs for each new decision.
  useEffect(() => {
    if (decisionBelow) scrollArea.current?.scrollTo({ top: 0 });
  }, [view?.decision?.id, decisionBelow]);

  const act = useCallback((action: Action) => void send(action).catch(() => undefined), [send]);
  const answer = useCallback(
    (move: Answer) => {
      if (store.get().sending) return;
      store.set({ sending: true, refusal: null });
      setReason(null);
      send({ type: "move", ...move }).catch(() => store.set({ sending: false }));
    },
    [send, store],
  );
  const select = useCallback(
    (next: Selection) => {
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
      const result = pointAt(decision, now.selection, target, inputDevice ?? device.current, settings().confirm, faces);
      if (result.refused && target.kind === "card") {
        const line = blockedReason(decision, target.handle);
        setReason(line ? lineText(line, reader) : text.table.cannot);
        return;
      }
      select(result.selection);
      if (result.answer) answer(result.answer);
    },
    [store, reader, select, answer],
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
  const decisionState = useMemo(
    () => ({
      decision,
      selection,
      faceOf,
      stateOf: (target: Target) => targetState(decision, selection, target, faceOf),
      highlighted: new Set(highlights),
    }),
    [decision, selection, faceOf, highlights],
  );
  if (!view || !environment || !placed) return null;
  const { cloth } = environment.game.theme;
  const hasScoreSheet = viewport.width >= scoreSheetFrom * rem && view.seats.some(({ badges }) => badges.some(isRow));
  const decisionArea = (
    <>
      <Notices onDismiss={dismiss} />
      <DecisionBar keepsHeight={!decisionBelow} />
    </>
  );
  return (
    <Contexts {...{ environment, decisionState, view, snapshot, reason }}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a tap outside of all targets clears the selection; on a keyboard, Escape does. */}
      <main
        ref={root}
        className={`table-screen ${decisionBelow ? "asked-below" : ""} ${hasScoreSheet ? "with-sheet" : ""}`}
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
          status={
            view.status.length > 0 &&
            view.status.map((line, i) => <span key={String(i)}>{lineText(line, reader)}</span>)
          }
          onPanel={onPanel}
          onHome={onHome}
          unread={unread}
          brief
        />
        <div ref={scrollArea} className="table-ground">
          <Felt placed={placed} textCards={textCards} />
          <section className="table-mine" aria-label={text.table.mine}>
            {!decisionBelow && decisionArea}
            <OwnSeat placed={placed} hasScoreSheetButton={!hasScoreSheet} />
            {environment.table.dice.some(({ owners }) => owners.includes(view.seat ?? -1)) && (
              <div className="mine-dice">
                <DiceTray owner={view.seat ?? -1} />
              </div>
            )}
            {placed.hand.map((zone) => (
              <Hand key={zone} zone={zone} content={view.zones[zone]?.content} />
            ))}
          </section>
        </div>
        {hasScoreSheet && <ScoreSheetAside />}
        {decisionBelow && <div className="table-asked">{decisionArea}</div>}
        <span className="reactions-aside">
          <SeatReaction seat={null} />
        </span>
        <Announcements onDismiss={dismiss} />
        <PausedModal onHome={onHome} />
        <EndBanner onHome={onHome} onReplay={onReplay} />
        <ConnectionNote connection={snapshot.connection} />
        <LiveRegion />
      </main>
      {overlay === "hands" && <AllHandsPanel onClose={() => setOverlay(null)} />}
      {overlay === "sheet" && !hasScoreSheet && <ScoreSheetPanel onClose={() => setOverlay(null)} />}
      {typeof overlay === "number" && <ZoneCardsPanel zone={overlay} onClose={() => setOverlay(null)} />}
      {foot?.(() => setOverlay("hands"))}
    </Contexts>
  );
}

function Contexts(props: {
  environment: TableEnvironment;
  decisionState: DecisionState;
  view: View;
  snapshot: Snapshot;
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
