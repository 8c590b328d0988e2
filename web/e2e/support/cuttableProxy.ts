/** A TCP proxy between browsers and a server that a test can cut, like a train's network in a tunnel. */
import { connect, createServer, type Server as Listener, type Socket } from "node:net";

export class CuttableProxy {
  private up = true;
  private sockets = new Set<Socket>();
  private frozen: Socket[] = [];

  private constructor(
    private readonly listener: Listener,
    readonly url: string,
  ) {}

  static async to(server: string): Promise<CuttableProxy> {
    const { hostname, port } = new URL(server);
    const listener = createServer();
    await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
    const address = listener.address();
    if (!address || typeof address === "string") throw new Error("no port");
    const proxy = new CuttableProxy(listener, `http://127.0.0.1:${address.port}`);
    listener.on("connection", (near) => {
      if (!proxy.up) return void near.destroy();
      const far = connect(Number(port), hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        proxy.sockets.add(from);
        from.pipe(to);
        from.on("error", () => to.destroy());
        from.on("close", () => {
          proxy.sockets.delete(from);
          to.destroy();
        });
      }
    });
    return proxy;
  }

  cut(): void {
    this.up = false;
    for (const socket of this.sockets) socket.destroy();
  }

  /** From now on nothing passes on the connections that there are, and nobody learns of it. */
  freeze(): void {
    for (const socket of this.sockets) socket.unpipe();
    this.frozen = [...this.sockets];
  }

  /** New connections pass again; the frozen ones stay dead. */
  thaw(): void {
    for (const socket of this.frozen) socket.resume();
    this.frozen = [];
  }

  restore(): void {
    this.up = true;
  }

  close(): void {
    this.cut();
    this.listener.close();
  }
}
