import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applySettings } from "./settings/settings";
import { App } from "./shell/App";
import "./shell/theme.css";

applySettings();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
