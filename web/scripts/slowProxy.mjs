// A slow proxy in front of a server: every response is delayed, and all responses share a limited bandwidth. The
// browser's own throttling is not used, because it records the origin of every request, which takes longer than the
// requests on a slow processor.
import { createServer, request } from "node:http";

/** The figures of "fast 3G" in Chromium's developer tools, in bytes per second and milliseconds. */
export const FAST_3G = { bytes: 1.44e6 / 8, latency: 150 };
/** The size of one chunk. */
const PIECE = 1400;

export async function startSlowProxy(base, { bytes, latency }) {
  // When the bandwidth is free again.
  let free = 0;
  const send = (piece) => {
    const now = performance.now();
    free = Math.max(free, now) + (piece * 1000) / bytes;
    return new Promise((done) => setTimeout(done, free - now));
  };
  const late = (since) => new Promise((done) => setTimeout(done, Math.max(0, since + latency - performance.now())));
  const requests = [];
  const { port, hostname } = new URL(base);
  const server = createServer((from, to) => {
    const since = performance.now();
    const entry = { path: from.url, since, headers: 0, ended: 0, bytes: 0 };
    requests.push(entry);
    const headers = { ...from.headers, host: `${hostname}:${port}` };
    if (headers.origin) headers.origin = base;
    const onward = request({ hostname, port, path: from.url, method: from.method, headers }, async (answer) => {
      await late(since);
      entry.headers = performance.now();
      to.writeHead(answer.statusCode, answer.headers);
      to.flushHeaders();
      for await (const body of answer) {
        for (let at = 0; at < body.length; at += PIECE) {
          const piece = body.subarray(at, at + PIECE);
          await send(piece.length);
          entry.bytes += piece.length;
          to.write(piece);
        }
      }
      to.end();
      entry.ended = performance.now();
    });
    onward.on("error", () => to.destroy());
    from.pipe(onward);
  });
  server.on("upgrade", (from, socket, head) => {
    const headers = { ...from.headers, host: `${hostname}:${port}`, origin: base };
    const onward = request({ hostname, port, path: from.url, headers });
    onward.on("upgrade", async (answer, other, first) => {
      await late(performance.now());
      const lines = [`HTTP/1.1 101 ${answer.statusMessage}`];
      for (let i = 0; i < answer.rawHeaders.length; i += 2)
        lines.push(`${answer.rawHeaders[i]}: ${answer.rawHeaders[i + 1]}`);
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      other.write(head);
      socket.write(first);
      // Half of the latency before the request and half after it.
      const carry = (to) => (data) => setTimeout(() => to.writable && to.write(data), latency / 2);
      socket.on("data", carry(other));
      other.on("data", carry(socket));
      for (const [one, two] of [
        [socket, other],
        [other, socket],
      ])
        one.on("error", () => two.destroy()).on("close", () => two.destroy());
    });
    onward.on("error", () => socket.destroy());
    onward.end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    base: `http://127.0.0.1:${server.address().port}`,
    /** The requests since the last call. */
    takeRequests: () => requests.splice(0),
    stop: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
