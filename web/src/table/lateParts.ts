/** The parts of a table that nobody needs in the first seconds. `late.ts` loads them as one file. */
export { LogDock } from "../panel/LogDock";
export { AbsenceNotes } from "./AbsenceNotes";
export { EndBanner } from "./EndBanner";
export { OrderedSlots } from "./OrderedSlots";
export { PausedVeil } from "./PausedVeil";
export { RangeField } from "./RangeField";
export { Scoreboard } from "./Scoreboard";
export { ScoreSheetAside, ScoreSheetPanel } from "./ScoreSheet";
export { UnseenFans } from "./UnseenFan";
export { AllHandsPanel, ZoneCardsPanel } from "./ZoneCards";
