import type { RawCatalog } from '../domain/parse-catalog';
import { compileRevision, type Revision } from '../domain/revision';
import { type CardFields, type ShippedCatalog, shippedCard, shippedCatalog } from './shipped-catalog';

/** The first published revision. */
export function firstRevision(): Revision {
  const edition = { version: '2026-10-01', effectiveAt: new Date('2026-10-01T00:00:00Z'), pricesFrom: null };
  return compileRevision(shippedCatalog(), edition);
}

/** The shipped catalog with an additional card. @param change fields that differ from the shipped card. */
export function withCard(newSignupsFrom: string, change: Partial<CardFields> = {}): ShippedCatalog & RawCatalog {
  const catalog = shippedCatalog();
  const version = change.version ?? newSignupsFrom.slice(0, 10);
  const card = { ...shippedCard(), includedUsd: '12', ...change, version, newSignupsFrom };
  return { ...catalog, usage: { ...catalog.usage, [`${version}.json`]: card } };
}
