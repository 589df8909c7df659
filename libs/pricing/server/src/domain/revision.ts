import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { PricingStatement } from '@homeport/pricing/contracts';
import type { Catalog } from './catalog';
import { parseCatalog, type RawCatalog } from './parse-catalog';
import { CatalogUnavailable } from './pricing.errors';
import { type StatementVersion, statementOf } from './statement';
import { Statement } from './statement-schema';

/** A statement as it is kept for good: the bytes that are served, and the catalog that is charged by. */
export interface Revision extends StatementVersion {
  /** From when prices are charged that were not announced before this publication; null when there are none. */
  readonly pricesFrom: Date | null;
  readonly source: RawCatalog;
  readonly body: Buffer;
  /** Of the body. */
  readonly sha256: Buffer;
}

/** A revision that was found to be whole. */
export interface VerifiedRevision extends StatementVersion {
  readonly body: Buffer;
  readonly sha256: Buffer;
  readonly statement: PricingStatement;
  readonly catalog: Catalog;
}

export function compileRevision(
  source: RawCatalog,
  edition: StatementVersion & Pick<Revision, 'pricesFrom'>,
): Revision {
  const body = Buffer.from(JSON.stringify(statementOf(parseCatalog(source), edition)));
  return { ...edition, source, body, sha256: sha256Of(body) };
}

/**
 * Checks that a revision is what was published: its bytes, the shape of the statement, the catalog, and that both state
 * the same prices.
 * @throws {CatalogUnavailable} whose cause says what is wrong.
 */
export function verifyRevision(revision: Revision): VerifiedRevision {
  const { version, effectiveAt, body, sha256 } = revision;
  if (!sha256Of(body).equals(sha256)) throw new CatalogUnavailable([`${version}: the bytes do not have their hash`]);
  const statement = statementIn(revision);
  const catalog = parseCatalog(revision.source);
  if (statement.version !== version) throw new CatalogUnavailable([`${version}: is the version of another statement`]);
  if (!isDeepStrictEqual(pricesOf(statement), pricesOf(statementOf(catalog, { version, effectiveAt })))) {
    throw new CatalogUnavailable([`${version}: states other prices than its catalog has`]);
  }
  return { version, effectiveAt, body, sha256, statement, catalog };
}

/** Everything of a statement that costs money. */
function pricesOf({ usage, upcoming, plans, agentRungs, addOns }: PricingStatement) {
  return { usage, upcoming, plans, agentRungs, addOns };
}

function statementIn({ version, body }: Revision): PricingStatement {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    Statement.parse(value);
    return value as PricingStatement;
  } catch (error) {
    throw new CatalogUnavailable([`${version}: is no statement`], { cause: error });
  }
}

function sha256Of(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
