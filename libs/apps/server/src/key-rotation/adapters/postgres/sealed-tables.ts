import { acmeAccountContext, certificateContext, variableContext } from '@homeport/platform/server/secrets';

/** The columns of a primary key, as text, in the order of the table. */
export type KeyValues = readonly string[];

/** A table with sealed values. */
export interface SealedTable {
  /** Names the values in reports, in the plural. */
  readonly kind: string;
  readonly table: string;
  /** The column with the sealed value. */
  readonly sealed: string;
  /** The columns of the primary key with their types. */
  readonly key: readonly (readonly [column: string, type: string])[];
  /** Further columns of the context. */
  readonly more?: readonly string[];
  /** What binds the value to its place. @param columns the primary key, then `more`. */
  readonly contextOf: (columns: readonly string[]) => string;
}

const first = ([value = '']: readonly string[]) => value;

/** Every table with values that SECRETS_KEYS seals. */
export const SEALED_TABLES: readonly SealedTable[] = [
  {
    kind: 'variables',
    table: 'apps.environment_variables',
    sealed: 'sealed',
    key: [
      ['app_id', 'uuid'],
      ['name', 'text'],
    ],
    more: ['scope'],
    contextOf: ([appId = '', name = '', scope = '']) => variableContext(appId, name, scope),
  },
  {
    kind: 'keys of certificates',
    table: 'apps.certificates',
    sealed: 'sealed_key',
    key: [['id', 'uuid']],
    contextOf: (columns) => certificateContext(first(columns)),
  },
  {
    kind: 'keys of orders',
    table: 'apps.certificate_orders',
    sealed: 'sealed_key',
    key: [['id', 'uuid']],
    contextOf: (columns) => certificateContext(first(columns)),
  },
  {
    kind: 'keys of ACME accounts',
    table: 'apps.acme_accounts',
    sealed: 'sealed_key',
    key: [['directory', 'text']],
    contextOf: (columns) => acmeAccountContext(first(columns)),
  },
];
