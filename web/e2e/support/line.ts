/** A wire between browsers and a server that can be cut, as a tunnel cuts a train's. */
import { connect, createServer, type Server as Listener, type Socket } from "node:net";

export class Line {
  private up = true;
  private sockets = new Set<Socket>();

  private constructor(
    private readonly listener: Listener,
    readonly url: string,
  ) {}

  static async to(server: string): Promise<Line> {
    const { hostname, port } = new URL(server);
    const listener = createServer();
    await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
    const address = listener.address();
    if (!address || typeof address === "string") throw new Error("no port");
    const line = new Line(listener, `http://127.0.0.1:${address.port}`);
    listener.on("connection", (near) => {
      if (!line.up) return void near.destroy();
      const far = connect(Number(port), hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        line.sockets.add(from);
        from.pipe(to);
        from.on("error", () => to.destroy());
        from.on("close", () => {
          line.sockets.delete(from);
          to.destroy();
        });
      }
    });
    return line;
  }

  cut(): void {
    this.up = false;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.up = true;
  }

  close(): void {
    this.cut();
    this.listener.close();
  }
}
