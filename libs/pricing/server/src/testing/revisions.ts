import type { RawCatalog } from '../domain/parse-catalog';
import { compileRevision, type Revision } from '../domain/revision';
import { type CardFields, type ShippedCatalog, shippedCard, shippedCatalog } from './shipped-catalog';

/** The first statement that was ever published. */
export function firstRevision(): Revision {
  const edition = { version: '2026-10-01', effectiveAt: new Date('2026-10-01T00:00:00Z'), pricesFrom: null };
  return compileRevision(shippedCatalog(), edition);
}

/** The shipped catalog with one card more, which begins at an instant and differs as it is told to. */
export function withCard(newSignupsFrom: string, change: Partial<CardFields> = {}): ShippedCatalog & RawCatalog {
  const catalog = shippedCatalog();
  const version = change.version ?? newSignupsFrom.slice(0, 10);
  const card = { ...shippedCard(), includedUsd: '12', ...change, version, newSignupsFrom };
  return { ...catalog, usage: { ...catalog.usage, [`${version}.json`]: card } };
}
