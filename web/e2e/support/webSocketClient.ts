/** A WebSocket client as small as WebDriver BiDi needs it: text both ways. The oldest Node that we support has none. */
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import type { Socket } from "node:net";

const TEXT = 1;
const CONTINUATION = 0;
const PING = 9;
const PONG = 10;

export class WebSocketClient {
  onText: (text: string) => void = () => undefined;
  private read = Buffer.alloc(0);
  private fragments: Buffer[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on("data", (bytes) => {
      this.read = Buffer.concat([this.read, bytes]);
      while (this.takeFrame());
    });
    socket.on("error", () => undefined);
  }

  static connect(address: string): Promise<WebSocketClient> {
    const { hostname, port, pathname } = new URL(address);
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"),
    };
    return new Promise((done, failed) => {
      const asked = request({ hostname, port, path: pathname, headers });
      asked.once("upgrade", (_, socket) => done(new WebSocketClient(socket as Socket)));
      asked.once("response", ({ statusCode }) => failed(new Error(`${address} answers ${statusCode}`)));
      asked.once("error", failed);
      asked.end();
    });
  }

  send(text: string): void {
    this.write(TEXT, Buffer.from(text));
  }

  close(): void {
    this.socket.destroy();
  }

  private write(kind: number, body: Buffer): void {
    const length =
      body.length < 126
        ? Buffer.from([0x80 | body.length])
        : body.length < 65_536
          ? Buffer.from([0x80 | 126, body.length >> 8, body.length & 255])
          : Buffer.concat([Buffer.from([0x80 | 127, 0, 0, 0, 0]), uint32(body.length)]);
    const mask = randomBytes(4);
    const masked = body.map((byte, i) => byte ^ (mask[i & 3] ?? 0));
    this.socket.write(Buffer.concat([Buffer.from([0x80 | kind]), length, mask, masked]));
  }

  /** Handles one frame, if it has arrived whole. */
  private takeFrame(): boolean {
    const [first = 0, second = 0] = this.read;
    if (this.read.length < 2) return false;
    const extra = (second & 127) === 126 ? 2 : (second & 127) === 127 ? 8 : 0;
    if (this.read.length < 2 + extra) return false;
    const length =
      extra === 0 ? second & 127 : extra === 2 ? this.read.readUInt16BE(2) : Number(this.read.readBigUInt64BE(2));
    const end = 2 + extra + length;
    if (this.read.length < end) return false;
    const body = this.read.subarray(2 + extra, end);
    this.read = this.read.subarray(end);
    const kind = first & 15;
    if (kind === PING) this.write(PONG, body);
    if (kind !== TEXT && kind !== CONTINUATION) return true;
    this.fragments.push(body);
    if (first & 0x80) {
      this.onText(Buffer.concat(this.fragments).toString());
      this.fragments = [];
    }
    return true;
  }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
