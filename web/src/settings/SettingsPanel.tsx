/** Everything that a person can set for this browser. */
import { useState } from "react";
import { guestName, myName, rememberName } from "../protocol/identity";
import { limits } from "../protocol/types";
import { Segmented, Switch } from "../shell/Fields";
import { SidePanel } from "../shell/SidePanel";
import { text } from "../text/catalogue";
import { ForgetMe } from "./ForgetMe";
import { changeSettings, useSettings } from "./settings";

export default function SettingsPanel({ onClose }: { onClose: () => void }) {
  const settings = useSettings();
  const t = text.settings;
  return (
    <SidePanel title={t.title} onClose={onClose}>
      <NameField />
      <Segmented
        label={t.theme}
        value={settings.theme}
        options={titled<typeof settings.theme>(t.themes)}
        onChange={(theme) => changeSettings({ theme })}
      />
      <Segmented
        label={t.suits}
        value={settings.suits}
        options={titled<typeof settings.suits>(t.suitColours)}
        onChange={(suits) => changeSettings({ suits })}
      />
      <Segmented
        label={t.cardSize}
        value={settings.cardSize}
        options={titled<typeof settings.cardSize>(t.cardSizes)}
        onChange={(cardSize) => changeSettings({ cardSize })}
      />
      <Segmented
        label={t.motion}
        value={settings.motion}
        options={titled<typeof settings.motion>(t.motions)}
        onChange={(motion) => changeSettings({ motion })}
      />
      <div>
        <Switch label={t.sound} value={settings.sound} onChange={(sound) => changeSettings({ sound })} />
        <Switch label={t.speech} value={settings.speech} onChange={(speech) => changeSettings({ speech })} />
        <Switch label={t.vibrate} value={settings.vibrate} onChange={(vibrate) => changeSettings({ vibrate })} />
        <Switch label={t.confirm} value={settings.confirm} onChange={(confirm) => changeSettings({ confirm })} />
      </div>
      <ForgetMe />
    </SidePanel>
  );
}

const titled = <T extends string>(titles: Record<string, string>) => Object.entries(titles) as [T, string][];

/** The name for the next tables. Somebody who has given none plays under a made-up one. */
function NameField() {
  const [name, setName] = useState(myName);
  return (
    <label className="option">
      <span>{text.name.label}</span>
      <input
        className="field"
        value={name}
        maxLength={limits.nameChars}
        placeholder={guestName()}
        onChange={(event) => {
          setName(event.target.value);
          rememberName(event.target.value.trim());
        }}
      />
      <small className="secondary">{text.settings.nameHow}</small>
    </label>
  );
}
