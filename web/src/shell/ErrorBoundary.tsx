/** What is shown in place of a page that could not be drawn: plain words and a way on, instead of nothing. */
import { Component, type ReactNode } from "react";
import { text } from "../text/catalogue";
import { MessagePage } from "./MessagePage";

export class ErrorBoundary extends Component<{ children: ReactNode }, { happened: boolean }> {
  override state = { happened: false };

  static getDerivedStateFromError() {
    return { happened: true };
  }

  override render() {
    if (!this.state.happened) return this.props.children;
    // Whatever went wrong is still in memory: home is fetched anew, too.
    return <MessagePage message={text.connection.mishap} reload onHome={() => location.assign("/")} />;
  }
}
