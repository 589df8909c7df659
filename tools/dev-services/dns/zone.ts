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
  /** Seconds. */
  ttl: number;
}

export interface PutResult {
  outcome: 'created' | 'unchanged' | 'conflict';
  record: CnameRecord;
}

export type DeleteResult = { outcome: 'deleted' | 'absent' } | { outcome: 'conflict'; record: CnameRecord };

const zoneFile = z.object({
  domain: z.string(),
  serial: z.number().int().nonnegative(),
  records: z.array(z.object({ name: z.string(), type: z.literal('CNAME'), value: z.string(), ttl: z.number() })),
});

/**
 * The records of one zone. A change is on the disk before it is answered and before it can be queried; changes are
 * made one after the other.
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

  /** Whether the name exists in DNS terms: it has a record, or a name below it has. */
  exists(name: string): boolean {
    return name === this.domain || this.#records.has(name) || this.records.some((record) => isBelow(record.name, name));
  }

  /** Creates a record only when the name has none; repeating is safe. */
  put(record: CnameRecord): Promise<PutResult> {
    return this.#inTurn(async () => {
      const present = this.#records.get(record.name);
      if (present) return { outcome: present.value === record.value ? 'unchanged' : 'conflict', record: present };
      await this.#save(new Map(this.#records).set(record.name, record));
      return { outcome: 'created', record };
    });
  }

  /** Deletes the record only when it has this value (any, if absent); repeating is safe. */
  delete(name: string, value?: string): Promise<DeleteResult> {
    return this.#inTurn(async () => {
      const present = this.#records.get(name);
      if (!present) return { outcome: 'absent' };
      if (value !== undefined && present.value !== value) return { outcome: 'conflict', record: present };
      const rest = new Map(this.#records);
      rest.delete(name);
      await this.#save(rest);
      return { outcome: 'deleted' };
    });
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastChange.then(change);
    this.#lastChange = turn.catch(() => undefined);
    return turn;
  }

  async #save(records: Map<string, CnameRecord>): Promise<void> {
    const serial = (this.#serial + 1) >>> 0;
    const state = { domain: this.domain, serial, records: [...records.values()] };
    await writeDurably(this.#path, `${JSON.stringify(state, undefined, 2)}\n`);
    this.#serial = serial;
    this.#records = records;
  }
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
