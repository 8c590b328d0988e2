/**
 * Parts of a table that are loaded after it: they are not in the first load, which has a budget, but they are there
 * before anybody can ask for them, because the table fetches them as soon as it is drawn. They need a `Suspense`.
 */
import { lazy, useEffect } from "react";

const load = () => import("./lateParts");

/** Fetches the late parts once the table is drawn. */
export function useLateParts(): void {
  useEffect(() => void load().catch(() => undefined), []);
}

export const AbsenceNotes = lazy(async () => ({ default: (await load()).AbsenceNotes }));
export const AllHandsPanel = lazy(async () => ({ default: (await load()).AllHandsPanel }));
export const EndBanner = lazy(async () => ({ default: (await load()).EndBanner }));
export const LogDock = lazy(async () => ({ default: (await load()).LogDock }));
export const OrderedSlots = lazy(async () => ({ default: (await load()).OrderedSlots }));
export const PausedVeil = lazy(async () => ({ default: (await load()).PausedVeil }));
export const RangeField = lazy(async () => ({ default: (await load()).RangeField }));
export const Scoreboard = lazy(async () => ({ default: (await load()).Scoreboard }));
export const ScoreSheetAside = lazy(async () => ({ default: (await load()).ScoreSheetAside }));
export const ScoreSheetPanel = lazy(async () => ({ default: (await load()).ScoreSheetPanel }));
export const UnseenFans = lazy(async () => ({ default: (await load()).UnseenFans }));
export const ZoneCardsPanel = lazy(async () => ({ default: (await load()).ZoneCardsPanel }));
