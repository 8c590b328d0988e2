/** Everything a person can set for this browser. */
import { Segmented, SidePanel, Switch } from "../shell/SidePanel";
import { text } from "../text/catalogue";
import { ForgetMe } from "./ForgetMe";
import { change, useSettings } from "./settings";

export function SettingsPanel({ onClose }: { onClose: () => void }) {
  const settings = useSettings();
  const t = text.settings;
  return (
    <SidePanel title={t.title} onClose={onClose}>
      <Segmented
        label={t.theme}
        value={settings.theme}
        options={titled<typeof settings.theme>(t.themes)}
        onChange={(theme) => change({ theme })}
      />
      <Segmented
        label={t.suits}
        value={settings.suits}
        options={titled<typeof settings.suits>(t.suitColours)}
        onChange={(suits) => change({ suits })}
      />
      <Segmented
        label={t.cardSize}
        value={settings.cardSize}
        options={titled<typeof settings.cardSize>(t.cardSizes)}
        onChange={(cardSize) => change({ cardSize })}
      />
      <Segmented
        label={t.motion}
        value={settings.motion}
        options={titled<typeof settings.motion>(t.motions)}
        onChange={(motion) => change({ motion })}
      />
      <div>
        <Switch label={t.sound} value={settings.sound} onChange={(sound) => change({ sound })} />
        <Switch label={t.speech} value={settings.speech} onChange={(speech) => change({ speech })} />
        <Switch label={t.vibrate} value={settings.vibrate} onChange={(vibrate) => change({ vibrate })} />
        <Switch label={t.confirm} value={settings.confirm} onChange={(confirm) => change({ confirm })} />
      </div>
      <ForgetMe />
    </SidePanel>
  );
}

const titled = <T extends string>(titles: Record<string, string>) => Object.entries(titles) as [T, string][];
