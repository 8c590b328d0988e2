/** A page that has only a message and what the person can do next. */
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

/** The page that a person sees until the lead lets them in. */
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

/** Milliseconds after which a person needs an explanation for the wait. */
const EXPLAIN_AFTER_MS = 3000;

/** Shows little for a moment, so that a fast response does not flicker, and then an explanation. */
export function Connecting({ dealing = false }: { dealing?: boolean }) {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), EXPLAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (isLate) return <MessagePage message={text.connection.noAnswer} />;
  return (
    <main className="name-page" data-cloth="green">
      <p className="connecting">{dealing ? text.home.dealing : text.connection.connecting}</p>
    </main>
  );
}
