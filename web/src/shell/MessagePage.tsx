/** A page that has nothing to show yet, or nothing at all: what is going on, and what can be done. */
import { useEffect, useState } from "react";
import { text } from "../text/catalogue";
import { go } from "./router";

interface MessagePageProps {
  message: string;
  reload?: boolean;
  onHome?: () => void;
}

export function MessagePage({ message, reload = false, onHome = () => go("/") }: MessagePageProps) {
  return (
    <main className="name-page" data-cloth="green">
      <section className="name-form">
        <h1>{text.brand}</h1>
        <p className="message" role="status">
          {message}
        </p>
        {reload && (
          <button type="button" className="button primary" onClick={() => location.reload()}>
            {text.connection.reload}
          </button>
        )}
        <button type="button" className="button" onClick={onHome}>
          {text.end.home}
        </button>
      </section>
    </main>
  );
}

/** Somebody at the table decides whether this person comes in. */
export function WaitingForAdmission() {
  return (
    <main className="name-page" data-cloth="green">
      <section className="name-form">
        <h1>{text.door.waitTitle}</h1>
        <p className="message" role="status">
          {text.door.waiting}
        </p>
        <button type="button" className="button" onClick={() => go("/")}>
          {text.door.giveUp}
        </button>
      </section>
    </main>
  );
}

/** Milliseconds after which waiting needs an explanation. */
const PATIENCE = 3000;

/** Nothing for a moment, so that a quick answer does not flicker; then what is wrong. */
export function Connecting() {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  if (long) return <MessagePage message={text.connection.noAnswer} />;
  return (
    <main className="name-page" data-cloth="green">
      <p className="connecting">{text.connection.connecting}</p>
    </main>
  );
}
