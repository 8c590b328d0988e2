/** A number out of many: a slider, buttons for small and large steps, and a field to type it. */
import { useState } from "react";
import { text } from "../text/catalogue";
import { rangeLargeStepShare } from "./sizes";

interface RangeFieldProps {
  label: string;
  /** Whether the label is drawn; else only screen readers get it. */
  isTitled: boolean;
  /** The options in ascending order. */
  options: number[];
  value: number;
  onChange: (value: number) => void;
}

export function RangeField({ label, isTitled, options, value, onChange }: RangeFieldProps) {
  const at = nearest(options, value);
  const last = options.length - 1;
  const large = largeStep(options.length);
  const [typed, setTyped] = useState<string | null>(null);
  const go = (to: number) => {
    setTyped(null);
    onChange(options[Math.max(0, Math.min(last, to))] ?? value);
  };
  const step = (by: number) => (
    <button
      type="button"
      className="range-step"
      aria-label={`${label}: ${by < 0 ? text.table.less(-by) : text.table.more(by)}`}
      disabled={by < 0 ? at === 0 : at === last}
      onClick={() => go(at + by)}
    >
      {by < 0 ? `−${-by}` : `+${by}`}
    </button>
  );
  return (
    <div className="range-field" role="group" aria-label={label}>
      {isTitled && <span className="range-title">{label}</span>}
      <div className="range-row">
        {large > 1 && step(-large)}
        {step(-1)}
        <input
          type="number"
          className="field range-typed"
          inputMode="numeric"
          aria-label={text.table.exactly(label)}
          min={options[0]}
          max={options[last]}
          value={typed ?? options[at]}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setTyped(event.target.value);
            const number = event.target.valueAsNumber;
            if (options.includes(number)) onChange(number);
          }}
          // A number that is not offered becomes the nearest one that is.
          onBlur={() => {
            if (typed !== null && typed.trim() !== "") go(nearest(options, Number(typed)));
            else setTyped(null);
          }}
        />
        {step(1)}
        {large > 1 && step(large)}
      </div>
      <input
        type="range"
        className="range-slider"
        aria-label={label}
        aria-valuetext={String(options[at])}
        min={0}
        max={last}
        value={at}
        onChange={(event) => go(event.target.valueAsNumber)}
      />
    </div>
  );
}

/** The position of the option that is nearest to a value. */
function nearest(options: number[], value: number): number {
  let best = 0;
  options.forEach((option, at) => {
    if (Math.abs(option - value) < Math.abs((options[best] ?? 0) - value)) best = at;
  });
  return best;
}

/** A power of ten that crosses the range in ten steps or more. */
const largeStep = (count: number) => 10 ** Math.floor(Math.log10(Math.max(1, count * rangeLargeStepShare)));
