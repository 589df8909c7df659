import { type EnvironmentVariable, MAX_VARIABLES, type VariableScope } from '@homeport/apps/contracts';
import type { EnvFileEntry } from './env-file';

/** One variable of the form. */
export interface VariableRow {
  /** Unique among the rows. */
  readonly key: number;
  readonly name: string;
  readonly value: string;
  readonly scope: VariableScope;
  /** What the server found wrong with this row. */
  readonly refusal?: RowFault | undefined;
}

/** What is wrong with a row, and in which field. */
export interface RowFault {
  readonly field: 'name' | 'value';
  readonly words: string;
}

const NAME = /^[A-Z_][A-Z0-9_]{0,127}$/;
const RESERVED = /^(PORT|HOST|NODE_OPTIONS|LD_.*|HOMEPORT_.*)$/;

let keys = 0;

export function emptyRow(): VariableRow {
  return { key: (keys += 1), name: '', value: '', scope: 'all' };
}

export function isEmptyRow({ name, value }: VariableRow): boolean {
  return name.trim() === '' && value === '';
}

/** Fills the rows of an `.env` file in after the given row, which they replace when it is empty. */
export function insertEntries(
  rows: readonly VariableRow[],
  at: VariableRow,
  entries: readonly EnvFileEntry[],
): readonly VariableRow[] {
  const names = new Set(entries.map(({ name }) => name));
  const inserted = entries.map((entry) => ({ ...emptyRow(), ...entry, scope: at.scope }));
  return rows.flatMap((row) => {
    if (row.key === at.key) return isEmptyRow({ ...row, name: '' }) ? inserted : [row, ...inserted];
    return isEmptyRow(row) || names.has(row.name) ? [] : [row];
  });
}

/** What is wrong with a row that is not empty; undefined when it can be sent. */
export function faultOf(
  row: VariableRow,
  rows: readonly VariableRow[],
  existing: readonly Pick<EnvironmentVariable, 'name'>[],
): RowFault | undefined {
  const words = nameFault(row, rows) ?? (exceedsLimit(row, rows, existing) ? limitMessage() : undefined);
  return words === undefined ? row.refusal : { field: 'name', words };
}

function nameFault({ key, name }: VariableRow, rows: readonly VariableRow[]): string | undefined {
  if (name === '') return $localize`Enter a name.`;
  if (!NAME.test(name)) return $localize`Use A to Z, 0 to 9 and _, without a digit at the start.`;
  if (RESERVED.test(name)) return $localize`Homeport sets this variable itself.`;
  const first = rows.find((row) => row.name === name);
  return first?.key === key ? undefined : $localize`This name is already used above.`;
}

function exceedsLimit(
  row: VariableRow,
  rows: readonly VariableRow[],
  existing: readonly Pick<EnvironmentVariable, 'name'>[],
): boolean {
  const names = new Set(existing.map(({ name }) => name));
  for (const { key, name } of rows) {
    if (name !== '') names.add(name);
    if (key === row.key) return names.size > MAX_VARIABLES;
  }
  return false;
}

function limitMessage(): string {
  return $localize`An app can have ${MAX_VARIABLES}:count: variables.`;
}
