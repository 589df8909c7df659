import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { PricingStatement } from '@homeport/pricing/contracts';
import type { Catalog } from './catalog';
import { parseCatalog, type RawCatalog } from './parse-catalog';
import { CatalogUnavailable } from './pricing.errors';
import { type StatementVersion, statementOf } from './statement';
import { Statement } from './statement-schema';

/** A published statement: the served bytes and the catalog for charging. Immutable. */
export interface Revision extends StatementVersion {
  /** When prices that this publication announces first take effect; null when it announces none. */
  readonly pricesFrom: Date | null;
  readonly source: RawCatalog;
  readonly body: Buffer;
  /** The hash of `body`. */
  readonly sha256: Buffer;
}

/** A revision that passed `verifyRevision`. */
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
 * Checks the integrity of a revision: the hash of its bytes, the schema of the statement, the catalog, and that both
 * have the same prices.
 * @throws {CatalogUnavailable} whose cause describes the problem.
 */
export function verifyRevision(revision: Revision): VerifiedRevision {
  const { version, effectiveAt, body, sha256 } = revision;
  if (!sha256Of(body).equals(sha256))
    throw new CatalogUnavailable([`${version}: the bytes do not match the SHA-256 hash`]);
  const statement = parseStatement(revision);
  const catalog = parseCatalog(revision.source);
  if (statement.version !== version) throw new CatalogUnavailable([`${version}: the statement has another version`]);
  if (!isDeepStrictEqual(pricesOf(statement), pricesOf(statementOf(catalog, { version, effectiveAt })))) {
    throw new CatalogUnavailable([`${version}: the prices of the statement and its catalog differ`]);
  }
  return { version, effectiveAt, body, sha256, statement, catalog };
}

/** The parts of a statement with prices. */
function pricesOf({ usage, upcoming, plans, agentRungs, addOns }: PricingStatement) {
  return { usage, upcoming, plans, agentRungs, addOns };
}

function parseStatement({ version, body }: Revision): PricingStatement {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    Statement.parse(value);
    return value as PricingStatement;
  } catch (error) {
    throw new CatalogUnavailable([`${version}: is not a valid statement`], { cause: error });
  }
}

function sha256Of(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
