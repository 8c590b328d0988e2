/** The panels that a button opens and the notices beside them, as one file that is loaded after the table; see `../shell/ConnectedTable.tsx`. */
export { default as SettingsPanel } from "../settings/SettingsPanel";
export { SitDown } from "../shell/SitDown";
export { AskersNotice } from "./Askers";
export { ChatPanel } from "./ChatPanel";
export { MenuPanel } from "./MenuPanel";
export { NewRulesNotice } from "./NewRules";
export { RulesPanel } from "./RulesPanel";
