import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../durable-file.ts';
import { hasCode, SetupFailed } from '../errors.ts';
import { isBelow } from './domain-name.ts';

export interface CnameRecord {
  name: string;
  type: 'CNAME';
  value: string;
  /** In seconds. */
  ttl: number;
}

/** A compare-and-set change: applied only if the record equals `before`; undefined means absent. */
export interface RecordChange {
  name: string;
  before?: RecordData | undefined;
  after?: RecordData | undefined;
}

export type RecordData = Pick<CnameRecord, 'value' | 'ttl'>;

const zoneFile = z.object({
  domain: z.string(),
  serial: z.number().int().nonnegative(),
  records: z.array(z.object({ name: z.string(), type: z.literal('CNAME'), value: z.string(), ttl: z.number() })),
});

/**
 * The records of one zone. Changes are serialized, and each is on disk before it is confirmed or visible to queries.
 */
export class Zone {
  readonly domain: string;
  readonly #path: string;
  #serial: number;
  #records: ReadonlyMap<string, CnameRecord>;
  #lastChange: Promise<unknown> = Promise.resolve();

  private constructor(path: string, state: z.infer<typeof zoneFile>) {
    this.#path = path;
    this.domain = state.domain;
    this.#serial = state.serial;
    this.#records = new Map(state.records.map((record) => [record.name, record]));
  }

  static async open(folder: string, domain: string): Promise<Zone> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'zone.json');
    const state = await readState(path);
    if (state && state.domain !== domain) {
      throw new SetupFailed(
        `${path} holds the zone ${state.domain}, PLATFORM_DOMAIN is ${domain}. ` +
          'Set it back, choose another DATA_DIR, or start fresh with "npm run reset".',
      );
    }
    return new Zone(path, state ?? { domain, serial: 1, records: [] });
  }

  get serial(): number {
    return this.#serial;
  }

  get records(): CnameRecord[] {
    return [...this.#records.values()];
  }

  find(name: string): CnameRecord | undefined {
    return this.#records.get(name);
  }

  /** Whether the name exists in DNS terms: it or a name below it has a record. */
  exists(name: string): boolean {
    return name === this.domain || this.#records.has(name) || this.records.some((record) => isBelow(record.name, name));
  }

  /** Applies all changes in one write, or none. @returns the names whose records differ from `before`. */
  change(changes: readonly RecordChange[]): Promise<string[]> {
    return this.#serialize(async () => {
      const conflicts = changes.filter(({ name, before }) => !isSame(this.#records.get(name), before));
      if (conflicts.length === 0) await this.#save(applied(this.#records, changes));
      return conflicts.map(({ name }) => name);
    });
  }

  #serialize<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastChange.then(change);
    this.#lastChange = turn.catch(() => undefined);
    return turn;
  }

  async #save(records: ReadonlyMap<string, CnameRecord>): Promise<void> {
    const serial = (this.#serial + 1) >>> 0;
    const state = { domain: this.domain, serial, records: [...records.values()] };
    await writeDurably(this.#path, `${JSON.stringify(state, undefined, 2)}\n`);
    this.#serial = serial;
    this.#records = records;
  }
}

function isSame(present: RecordData | undefined, expected: RecordData | undefined): boolean {
  return present?.value === expected?.value && present?.ttl === expected?.ttl;
}

function applied(
  records: ReadonlyMap<string, CnameRecord>,
  changes: readonly RecordChange[],
): ReadonlyMap<string, CnameRecord> {
  const next = new Map(records);
  for (const { name, after } of changes) {
    if (after) next.set(name, { name, type: 'CNAME', ...after });
    else next.delete(name);
  }
  return next;
}

async function readState(path: string): Promise<z.infer<typeof zoneFile> | undefined> {
  try {
    return zoneFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new SetupFailed(
      `${path} is damaged or cannot be read: ${String(error)}. Repair it, or start fresh with "npm run reset".`,
    );
  }
}
