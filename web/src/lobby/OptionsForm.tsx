/** The options of a game as fields, made from its definition. Read-only for everybody but the lead. */
import type { Definition, OptionDefinition, OptionSetting, TableSettings } from "../protocol/types";
import { Segmented, Switch } from "../shell/Fields";
import { text } from "../text/catalogue";
import "./options.css";

interface OptionsFormProps {
  game: Definition;
  settings: TableSettings;
  /** Null if the form is read-only. */
  onChange: ((settings: TableSettings) => void) | null;
}

export function OptionsForm({ game, settings, onChange }: OptionsFormProps) {
  const settingOf = (option: OptionDefinition): OptionSetting => {
    const preset = game.presets.find(({ id }) => id === settings.preset)?.settings[option.id];
    return settings.options[option.id] ?? preset ?? option.default;
  };
  const set = (id: string, value: OptionSetting) =>
    onChange?.({ ...settings, options: { ...settings.options, [id]: value } });
  return (
    <div className="options">
      {game.presets.length > 0 && (
        <Segmented
          label={text.lobby.presets}
          value={settings.preset ?? ""}
          options={[
            ["", text.lobby.defaults],
            ...game.presets.map(({ id }): [string, string] => [id, text.lobby.preset[id] ?? capitalise(id)]),
          ]}
          disabled={!onChange}
          onChange={(preset) => onChange?.({ options: {}, packIds: settings.packIds, ...(preset ? { preset } : {}) })}
        />
      )}
      {game.options.map((option) => (
        <OptionField
          key={option.id}
          option={option}
          value={settingOf(option)}
          onChange={onChange ? (value) => set(option.id, value) : null}
        />
      ))}
    </div>
  );
}

function OptionField({
  option,
  value,
  onChange,
}: {
  option: OptionDefinition;
  value: OptionSetting;
  onChange: ((value: OptionSetting) => void) | null;
}) {
  const disabled = !onChange;
  if (option.kind === "yesno") {
    return <Switch label={option.title} value={value === true} disabled={disabled} onChange={(on) => onChange?.(on)} />;
  }
  if (option.kind === "choice") {
    return (
      <label className="option">
        <span>{option.title}</span>
        <select
          className="field"
          value={String(value)}
          disabled={disabled}
          onChange={(event) => onChange?.(event.target.value)}
        >
          {(option.values ?? []).map(({ id, title }) => (
            <option key={id} value={id}>
              {title || capitalise(id)}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (option.kind === "text") {
    return (
      <label className="option">
        <span>{option.title}</span>
        <input
          className="field"
          defaultValue={String(value)}
          maxLength={option.high}
          disabled={disabled}
          onBlur={(event) => onChange?.(event.target.value)}
        />
      </label>
    );
  }
  return (
    <label className="option number">
      <span>{option.title}</span>
      <input
        className="field"
        type="number"
        min={option.low}
        max={option.high}
        defaultValue={Number(value)}
        key={String(value)}
        disabled={disabled}
        onBlur={(event) => {
          const number = Math.round(Number(event.target.value));
          const bounded = Math.max(option.low ?? number, Math.min(option.high ?? number, number));
          if (bounded !== value) onChange?.(bounded);
        }}
      />
    </label>
  );
}

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
