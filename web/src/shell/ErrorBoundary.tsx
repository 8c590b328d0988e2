/** Shows a message instead of a page that could not be drawn. */
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
    // The faulty state is still in memory, so the button loads the first page from the server again.
    return <MessagePage message={text.connection.mishap} reload onHome={() => location.assign("/")} />;
  }
}
