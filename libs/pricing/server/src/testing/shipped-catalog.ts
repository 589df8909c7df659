import { readFileSync } from 'node:fs';
import type { RawCatalog } from '../domain/parse-catalog';

const FOLDER = new URL('../../../catalog/', import.meta.url);

type Fields = Readonly<Record<string, unknown>>;

/** A usage card in the format of its file. */
export interface CardFields extends Fields {
  readonly version: string;
  readonly meters: readonly Fields[];
  readonly boxes: readonly Fields[];
}

/** The shipped catalog in the format of its files. */
export interface ShippedCatalog extends RawCatalog {
  readonly usage: Readonly<Record<string, CardFields>>;
  readonly legacy: Fields & { readonly agentRungs: readonly Fields[] };
  readonly signup: Fields;
  readonly billingRules: Fields;
}

/** Returns a new copy on each call, so tests can change it. */
export function shippedCatalog(): ShippedCatalog {
  return structuredClone(SHIPPED);
}

/** A new copy of the first usage card. */
export function shippedCard(): CardFields {
  return shippedCatalog().usage['2026-10-01.json'] as CardFields;
}

const SHIPPED = {
  usage: { '2026-10-01.json': read('usage/2026-10-01.json') },
  legacy: read('legacy.json'),
  signup: read('signup.json'),
  billingRules: read('billing-rules.json'),
} as ShippedCatalog;

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
}
