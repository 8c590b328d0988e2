/** Which page is shown. Pages that are not needed at once are loaded when they are. */
import { lazy, Suspense } from "react";
import { Symbols } from "../cards/Symbols";
import { useRoute } from "./router";

// Fixtures exist in development only; the build drops them.
const Gallery = import.meta.env.DEV ? lazy(() => import("../mock/Gallery")) : null;

export function App() {
  const route = useRoute();
  return (
    <>
      <Symbols />
      <Suspense fallback={null}>{route.page === "gallery" && Gallery ? <Gallery name={route.name} /> : <p>Home</p>}</Suspense>
    </>
  );
}
