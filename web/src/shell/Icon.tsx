/** Line icons, drawn for this client. */
const PATHS = {
  home: "M4 11.5 12 4l8 7.5M6.5 10v9.5h11V10",
  chat: "M4 5.5h16v11H10l-4.5 3.5v-3.5H4z",
  book: "M12 6.5C10 5 7 4.6 4 5v13.5c3-.4 6 0 8 1.5 2-1.5 5-1.9 8-1.5V5c-3-.4-6 0-8 1.5zm0 0V20",
  sliders: "M4 7h9m5 0h2M4 17h2m5 0h9M13 4.5v5M8.5 14.5v5",
  people:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.5-4 3-5.5 6.5-5.5s6 1.5 6.5 5.5M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.3c2 .7 3.2 2.3 3.5 5.2",
  close: "M6 6l12 12M18 6 6 18",
  share: "M12 15V4m0 0L8 8m4-4 4 4M5 12v8h14v-8",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2",
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  back: "M15 5 8 12l7 7",
  forward: "m9 5 7 7-7 7",
  first: "M18 5l-7 7 7 7M7 5v14",
  flag: "M6 21V4m0 1h11.5l-2.5 4 2.5 4H6",
  last: "m6 5 7 7-7 7M17 5v14",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
