/** The people at one table. */
import type { BrowserContextOptions } from "playwright-core";
import { onTestFinished } from "vitest";
import type { Definition } from "../../src/protocol/types";
import type { DeviceName } from "./device";
import { Person, type TableOptions } from "./person";

export interface GroupOptions {
  /** The first person is the host. */
  people: string[];
  /** The device of each person, by name; a mouse by default. */
  devices?: Record<string, DeviceName>;
  /** The server or proxy of each person, by name; the shared server by default. */
  servers?: Record<string, string>;
  /** The server of everybody. */
  server?: string;
  bots?: number;
  table?: TableOptions;
  /** The group stays in the lobby. */
  lobby?: boolean;
  /** The group lasts for several tests, and the caller closes it. Otherwise it ends with the test. */
  lasting?: boolean;
  /** The pages show animations. */
  motion?: boolean;
  /** Options for everybody's window. */
  contexts?: BrowserContextOptions;
}

export interface TableGroup {
  people: Person[];
  host: Person;
  code: string;
  named(name: string): Person;
  /** Everybody but this person. */
  others(person: Person): Person[];
  close(): Promise<void>;
}

export async function gather(game: Definition, options: GroupOptions): Promise<TableGroup> {
  const { devices = {}, servers = {}, lasting = false, motion = false, contexts = {} } = options;
  const people: Person[] = [];
  const close = async () => void (await Promise.all(people.map((person) => person.leave())));
  if (!lasting) onTestFinished(close);
  for (const name of options.people) {
    const server = servers[name] ?? options.server;
    people.push(
      await Person.named(name, {
        device: devices[name] ?? "mouse",
        ...(server ? { server } : {}),
        context: { ...contexts, ...(motion ? { reducedMotion: "no-preference" } : {}) },
      }),
    );
  }
  const [host, ...guests] = people as [Person, ...Person[]];
  const code = await host.make(game, options.table);
  for (const guest of guests) await guest.openAndSit(code);
  await host.addBots(options.bots ?? 0);
  if (!options.lobby) {
    await host.start();
    for (const guest of guests) await guest.atTable();
  }
  const named = (name: string) => {
    const found = people.find((person) => person.name === name);
    if (!found) throw new Error(`${name} is not here`);
    return found;
  };
  return { people, host, code, named, others: (person) => people.filter((p) => p !== person), close };
}

/** A person who comes alone; closed when the test is over. */
export async function visitor(...given: Parameters<typeof Person.named>): Promise<Person> {
  const person = await Person.named(...given);
  onTestFinished(() => person.leave());
  return person;
}
