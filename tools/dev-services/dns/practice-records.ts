import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer } from 'dns-packet';
import { z } from 'zod';
import { writeDurably } from '../durable-file.ts';
import { hasCode, SetupFailed } from '../errors.ts';

export const PRACTICE_TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'NS', 'TXT'] as const;
export type PracticeType = (typeof PRACTICE_TYPES)[number];

/** In seconds: people try one value after the other. */
const TTL = 1;
const MAX_HOPS = 8;
const file = z.array(z.object({ name: z.string(), type: z.enum(PRACTICE_TYPES), values: z.array(z.string()) }));
type Entry = z.infer<typeof file>[number];

/**
 * Records outside the platform domain, for practice and tests: what an organization would create at its own DNS
 * provider. The server is responsible for the registered domain of each name, its last two labels.
 */
export class PracticeRecords {
  readonly #path: string;
  #entries: ReadonlyMap<string, Entry>;
  #lastChange: Promise<unknown> = Promise.resolve();

  private constructor(path: string, entries: readonly Entry[]) {
    this.#path = path;
    this.#entries = new Map(entries.map((entry) => [keyOf(entry), entry]));
  }

  static async open(folder: string): Promise<PracticeRecords> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'practice.json');
    try {
      return new PracticeRecords(path, file.parse(JSON.parse(await readFile(path, 'utf8'))));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return new PracticeRecords(path, []);
      throw new SetupFailed(`${path} is damaged or cannot be read: ${String(error)}. Remove it, and start again.`);
    }
  }

  /** Sets all values of a type at a name; none removes them. */
  set(entry: Entry): Promise<void> {
    const turn = this.#lastChange.then(async () => {
      const next = new Map(this.#entries);
      if (entry.values.length > 0) next.set(keyOf(entry), entry);
      else next.delete(keyOf(entry));
      await writeDurably(this.#path, `${JSON.stringify([...next.values()], undefined, 2)}\n`);
      this.#entries = next;
    });
    this.#lastChange = turn.catch(() => undefined);
    return turn;
  }

  /** Whether the server is responsible for the name. */
  covers(name: string): boolean {
    return this.#all().some((entry) => registered(entry.name) === registered(name));
  }

  exists(name: string): boolean {
    return this.#all().some((entry) => entry.name === name || entry.name.endsWith(`.${name}`));
  }

  /**
   * The records of a type at a name, or its CNAME with the records that it leads to, as a resolver returns them. A name
   * without records gets those of the wildcard above it.
   */
  find(name: string, type: string, hops = MAX_HOPS): Answer[] {
    const at = this.exists(name) ? name : `*.${name.slice(name.indexOf('.') + 1)}`;
    const entry = this.#entries.get(keyOf({ name: at, type })) ?? this.#entries.get(keyOf({ name: at, type: 'CNAME' }));
    if (entry === undefined) return [];
    const answers = entry.values.map((value) => toAnswer(name, entry.type, value));
    if (entry.type !== 'CNAME' || type === 'CNAME' || hops === 0) return answers;
    return [...answers, ...entry.values.flatMap((target) => this.find(target.toLowerCase(), type, hops - 1))];
  }

  #all(): Entry[] {
    return [...this.#entries.values()];
  }
}

function keyOf({ name, type }: { readonly name: string; readonly type: string }): string {
  return `${name} ${type}`;
}

function registered(name: string): string {
  return name.split('.').slice(-2).join('.');
}

function toAnswer(name: string, type: PracticeType, value: string): Answer {
  const at = { name, ttl: TTL };
  if (type === 'TXT') return { ...at, type, data: [value] };
  if (type !== 'CAA') return { ...at, type, data: value };
  const [tag = 'issue', text = ''] = value.split(' ');
  return { ...at, type, data: { flags: 0, tag, value: text.replaceAll('"', '') } };
}
