import type { Queries } from '@homeport/platform/server/database';
import { type SecretBox, SecretUnreadable } from '@homeport/platform/server/secrets';
import { type KeyValues, SEALED_TABLES, type SealedTable } from './sealed-tables';

/** How many values of a kind a key of SECRETS_KEYS seals. */
export interface KeyUse {
  /** Such as `variables`. */
  readonly kind: string;
  readonly keyId: string;
  readonly count: number;
  /** Whether one of these values could be opened: a key can have the id of another one. */
  readonly isReadable: boolean;
}

export interface SealAgainReport {
  /** Number of values that the newest key seals now. */
  readonly sealed: number;
  /** Number of values that no key opens. They were not changed. */
  readonly unreadable: number;
}

interface SealedRow {
  readonly columns: readonly string[];
  readonly sealed: Buffer;
}

const PAGE = 500;

/** The values in PostgreSQL that SECRETS_KEYS seals. Reads pages, so that no query takes long. */
export class PostgresSealedValues {
  constructor(
    private readonly queries: Queries,
    private readonly box: SecretBox,
  ) {}

  /** Which keys are in use, in the order of the tables. Changes nothing. @throws {DatabaseUnavailable} */
  async keyUses(): Promise<readonly KeyUse[]> {
    const uses: KeyUse[] = [];
    for (const table of SEALED_TABLES) {
      const { kind } = table;
      const id = keyIdIn(table.sealed);
      const rows = await this.#query<{ key_id: string; count: number }[]>(
        `select ${id} as key_id, count(*)::int as count from ${table.table} where ${table.sealed} is not null
         group by 1 order by 1`,
        [],
      );
      for (const { key_id: keyId, count } of rows) {
        uses.push({ kind, keyId, count, isReadable: await this.#isReadable(table, keyId) });
      }
    }
    return uses;
  }

  /**
   * Seals with the newest key what older keys seal. Can run while instances serve that have all keys: each value changes
   * in one statement, and only if it has not changed meanwhile. Repeating is safe.
   * @throws {DatabaseUnavailable}
   */
  async sealAgain(): Promise<SealAgainReport> {
    const report = { sealed: 0, unreadable: 0 };
    for (const table of SEALED_TABLES) {
      for await (const row of this.#olderRows(table)) {
        const plain = this.#opened(table, row);
        if (plain === undefined) report.unreadable += 1;
        else if (await this.#replace(table, row, this.box.seal(plain, table.contextOf(row.columns))))
          report.sealed += 1;
      }
    }
    return report;
  }

  /** The rows that another key than the newest one seals, in the order of their primary keys. */
  async *#olderRows(table: SealedTable): AsyncIterable<SealedRow> {
    const key = table.key.map(([column]) => column).join(', ');
    const types = table.key.map(([, type], at) => `$${at + 2}::${type}`).join(', ');
    let last: KeyValues | undefined;
    do {
      const after: string = last ? `and (${key}) > (${types})` : '';
      const rows: SealedRow[] = await this.#query(
        `select ${columnsOf(table)}, ${table.sealed} as sealed from ${table.table}
         where ${table.sealed} is not null and ${keyIdIn(table.sealed)} <> $1 ${after} order by ${key} limit ${PAGE}`,
        [this.box.keyIds[0], ...(last ?? [])],
      );
      yield* rows;
      last = rows.length < PAGE ? undefined : rows.at(-1)?.columns.slice(0, table.key.length);
    } while (last);
  }

  async #isReadable(table: SealedTable, keyId: string): Promise<boolean> {
    const [row] = await this.#query<SealedRow[]>(
      `select ${columnsOf(table)}, ${table.sealed} as sealed from ${table.table}
       where ${table.sealed} is not null and ${keyIdIn(table.sealed)} = $1 limit 1`,
      [keyId],
    );
    // Its last value may have been removed meanwhile.
    return row === undefined || this.#opened(table, row) !== undefined;
  }

  #opened(table: SealedTable, { sealed, columns }: SealedRow): string | undefined {
    try {
      return this.box.open(sealed, table.contextOf(columns));
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }

  /** @returns false when the value has changed meanwhile: then the newest key of an instance sealed it. */
  async #replace({ table, key, sealed }: SealedTable, row: SealedRow, value: Buffer): Promise<boolean> {
    const where = key.map(([column, type], at) => `${column} = $${at + 3}::${type}`).join(' and ');
    const [rows] = await this.#query<[unknown[], number]>(
      `update ${table} set ${sealed} = $1 where ${sealed} = $2 and ${where} returning 1`,
      [value, row.sealed, ...row.columns.slice(0, key.length)],
    );
    return rows.length === 1;
  }

  #query<T>(sql: string, values: readonly unknown[]): Promise<T> {
    return this.queries.run((manager) => manager.query<T>(sql, [...values]));
  }
}

/** A sealed value starts with the length of the id of its key, and the id. */
function keyIdIn(column: string): string {
  return `convert_from(substring(${column} from 2 for get_byte(${column}, 0)), 'UTF8')`;
}

function columnsOf({ key, more = [] }: SealedTable): string {
  const texts = [...key.map(([column]) => column), ...more].map((column) => `${column}::text`);
  return `array[${texts.join(', ')}] as columns`;
}
