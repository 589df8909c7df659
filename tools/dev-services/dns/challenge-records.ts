import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../durable-file.ts';
import { hasCode, SetupFailed } from '../errors.ts';
import { isBelow } from './domain-name.ts';

const file = z.record(z.string(), z.array(z.string()));
type Values = ReadonlyMap<string, readonly string[]>;

/** The TXT records below `ACME_ZONE`, in which the API answers DNS challenges. Each change is on disk first. */
export class ChallengeRecords {
  /** Without one, the server is responsible for no name. */
  readonly zone: string | undefined;
  readonly #path: string;
  #values: Values;
  #lastChange: Promise<unknown> = Promise.resolve();

  private constructor(path: string, zone: string | undefined, values: Values) {
    this.#path = path;
    this.zone = zone;
    this.#values = values;
  }

  static async open(folder: string, zone: string | undefined): Promise<ChallengeRecords> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'challenges.json');
    try {
      const values = file.parse(JSON.parse(await readFile(path, 'utf8')));
      return new ChallengeRecords(path, zone, new Map(Object.entries(values)));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return new ChallengeRecords(path, zone, new Map());
      throw new SetupFailed(`${path} is damaged or cannot be read: ${String(error)}. Remove it, and start again.`);
    }
  }

  /** Whether the name is in the zone. */
  covers(name: string): boolean {
    return this.zone !== undefined && (name === this.zone || isBelow(name, this.zone));
  }

  exists(name: string): boolean {
    return name === this.zone || [...this.#values.keys()].some((each) => each === name || isBelow(each, name));
  }

  find(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Adds a value to those of a name. */
  add(name: string, value: string): Promise<void> {
    return this.#change(name, (values) => [...new Set([...values, value])]);
  }

  /** Removes one value of a name. */
  remove(name: string, value: string): Promise<void> {
    return this.#change(name, (values) => values.filter((each) => each !== value));
  }

  #change(name: string, change: (values: readonly string[]) => readonly string[]): Promise<void> {
    const turn = this.#lastChange.then(async () => {
      const next = new Map(this.#values);
      const values = change(this.find(name));
      if (values.length > 0) next.set(name, values);
      else next.delete(name);
      await writeDurably(this.#path, `${JSON.stringify(Object.fromEntries(next), undefined, 2)}\n`);
      this.#values = next;
    });
    this.#lastChange = turn.catch(() => undefined);
    return turn;
  }
}
