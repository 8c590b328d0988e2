/** A server for a test run, or for a test that wants to kill it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
/** The folder of the games that come with the program. */
export const shippedGames = join(repository, "games");
const program = process.env.BAIZE_BIN ?? join(repository, "target/debug/baize");

export class Server {
  private child: ChildProcess | null = null;
  /** The output of the server, for failure reports. */
  readonly log: string[] = [];
  url = "";

  private constructor(
    private readonly data: string,
    /** Further arguments. */
    private readonly args: string[],
  ) {}

  /** `games` is a folder of rules files to use instead of the shipped games. */
  static async start({ games = shippedGames } = {}): Promise<Server> {
    // Every person of a test has an address of their own (`X-Forwarded-For`), as in reality.
    return Server.begin(["serve", "--games", games, "--bot-threads", "2", "--behind-proxy"]);
  }

  /** A designer's server for one rules file. */
  static workshop(file: string): Promise<Server> {
    return Server.begin(["dev", file]);
  }

  private static async begin(args: string[]): Promise<Server> {
    const server = new Server(await mkdtemp(join(tmpdir(), "baize-e2e-")), args);
    await server.run("127.0.0.1:0");
    return server;
  }

  /** Kills the server like a crash: it says and writes nothing any more. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await gone;
  }

  /** Starts the same server again, with the same address and data. */
  restart(): Promise<void> {
    return this.run(new URL(this.url).host);
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.data, { recursive: true, force: true });
  }

  private run(listen: string): Promise<void> {
    const folders = ["--packs", join(repository, "packs"), "--data", this.data];
    const args = [...this.args, "--listen", listen, ...folders, "--bot-delay", "0"];
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    child.stderr.on("data", (bytes: Buffer) => this.log.push(String(bytes)));
    return new Promise((ready, failed) => {
      child.once("error", (error) => failed(new Error(`${program}: ${error.message}. Build it: cargo build -p baize`)));
      child.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${this.log.join("")}`)));
      let said = "";
      child.stdout.on("data", (bytes: Buffer) => {
        said += String(bytes);
        const found = /https?:\/\/[\w.:-]+/.exec(said);
        if (!found) return;
        this.url = found[0];
        ready();
      });
    });
  }
}
