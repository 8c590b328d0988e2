/** Line icons, drawn for this client. */
const PATHS = {
  home: "M4 11.5 12 4l8 7.5M6.5 10v9.5h11V10",
  chat: "M4 5.5h16v11H10l-4.5 3.5v-3.5H4z",
  book: "M12 6.5C10 5 7 4.6 4 5v13.5c3-.4 6 0 8 1.500 2-1.500 5-1.900 8-1.500V5c-3-.4-6 0-8 1.500zm0 0V20",
  sliders: "M4 7h9m5 0h2M4 17h2m5 0h9M13 4.500v5M8.500 14.500v5",
  people:
    "M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 19.500c.5-4 3-5.500 6.500-5.500s6 1.500 6.500 5.500M16 4.800a3.500 3.500 0 0 1 0 6.400M18 14.300c2 .7 3.200 2.300 3.500 5.200",
  close: "M6 6l12 12M18 6 6 18",
  share: "M12 15V4m0 0L8 8m4-4 4 4M5 12v8h14v-8",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2",
  play: "M7 4.500v15l12-7.500z",
  pause: "M8 5v14M16 5v14",
  back: "M15 5 8 12l7 7",
  forward: "m9 5 7 7-7 7",
  first: "M18 5l-7 7 7 7M7 5v14",
  flag: "M6 21V4m0 1h11.500l-2.500 4 2.500 4H6",
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
