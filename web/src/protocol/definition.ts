/**
 * What a client is told about a game, and about a table, before it looks at a view:
 * the twin of `crates/engine/src/definition.rs` and `definition/layout.rs`.
 */

export type Setting = boolean | number | string;

export interface GameDefinition {
  id: string;
  name: string;
  description: string;
  minPlayers: number;
  maxPlayers: number;
  phases: { id: string; name: string }[];
  notes: string[];
  options: OptionDefinition[];
  presets: { id: string; settings: Record<string, Setting> }[];
  decks: Record<string, { displayName: string; cardType: string; fromPacks: boolean }>;
  theme: Record<string, string>;
  policies: {
    startWhenFull: boolean;
    newcomersPlay: boolean;
    absent: "wait" | "skip" | "default";
    hostAbsentPauses: boolean;
    leaversBecomeBots: boolean;
    grace?: number;
  };
}

export interface OptionDefinition {
  id: string;
  title: string;
  kind: "number" | "seconds" | "yesno" | "choice" | "text";
  low?: number;
  high?: number;
  values?: { id: string; title: string }[];
  default: Setting;
}

/** One table's fixed half. Positions in these lists are what views and events quote. */
export interface TableDefinition {
  seats: number;
  settings: Record<string, Setting>;
  zones: ZoneLayout[];
  values: ValueLayout[];
  dice: DiceLayout[];
  faces: CardFace[];
}

export interface ZoneLayout {
  zone: string;
  title: string;
  index?: IndexValue[];
  owner?: number;
  ordered: boolean;
  shape: string;
  columns?: number;
  rows?: number;
  hints?: string[];
}

export interface IndexValue {
  value: number;
  label: string;
  seat?: boolean;
}

export interface ValueLayout {
  id: string;
  title: string;
  kind: string;
  names?: string[];
  elements: IndexValue[][];
  role?: string;
  sealed: boolean;
}

export interface DiceLayout {
  id: string;
  title: string;
  low: number;
  high: number;
  elements: IndexValue[][];
  owners: (number | null)[];
}

export interface CardFace {
  deck: string;
  template: string;
  label: string;
  title?: string;
  text?: string;
  attributes?: Record<string, string>;
  number?: number;
  blank?: boolean;
}
