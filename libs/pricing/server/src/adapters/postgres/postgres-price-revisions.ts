import { type Database, queriesIn } from '@homeport/platform/server/database';
import { PostgresAuditTrail } from '@homeport/organizations/server';
import { violatesConstraint } from '@homeport/platform/server/postgres';
import { type RevisionSummary, type RevisionSchedule, PriceRevisions } from '../../application/price-revisions.port';
import type { RawCatalog } from '../../domain/parse-catalog';
import { CatalogUnavailable, PublicationRefused } from '../../domain/pricing.errors';
import type { Revision } from '../../domain/revision';

interface RevisionRow {
  readonly version: string;
  readonly effective_at: Date;
  readonly prices_from: Date | null;
  readonly source: RawCatalog;
  readonly body: Buffer;
  readonly sha256: Buffer;
}

const COLUMNS = 'version, effective_at, prices_from, source, body, sha256';
/** Of several revisions with the same effective date, the last published one is in effect. */
const IN_ORDER = 'order by effective_at, id';

/** Constraints that reject a publication that took longer than planned, by the clock of PostgreSQL. */
const TOO_LATE = ['revisions_not_back_dated', 'revisions_announced'];

/** The organization in audit events: prices belong to the platform, not to a tenant. */
const PLATFORM = 'homeport';

/** Stores revisions in PostgreSQL, where triggers reject changes. */
export class PostgresPriceRevisions extends PriceRevisions {
  constructor(private readonly database: Database) {
    super();
  }

  async currentAndUpcoming(): Promise<RevisionSchedule> {
    const rows = await this.database.run((manager) =>
      manager.query<(RevisionRow & { readonly at: Date })[]>(
        `select ${COLUMNS}, now() as at from pricing.revisions
         where effective_at >= (select max(effective_at) from pricing.revisions where effective_at <= now())
         ${IN_ORDER}`,
      ),
    );
    const [first] = rows;
    if (!first) throw new CatalogUnavailable(['no statement is in effect']);
    return { revisions: rows.map(toRevision), at: first.at };
  }

  async list(): Promise<readonly RevisionSummary[]> {
    const rows = await this.database.run((manager) =>
      manager.query<RevisionRow[]>(`select version, effective_at from pricing.revisions ${IN_ORDER}`),
    );
    return rows.map(({ version, effective_at }) => ({ version, effectiveAt: effective_at }));
  }

  async find(version: string): Promise<Revision | undefined> {
    const [row] = await this.database.run((manager) =>
      manager.query<RevisionRow[]>(`select ${COLUMNS} from pricing.revisions where version = $1`, [version]),
    );
    return row && toRevision(row);
  }

  async publish(
    publisher: string,
    plan: (published: readonly Revision[], now: Date) => readonly Revision[],
  ): Promise<readonly Revision[]> {
    const published = this.database.transaction(async (manager) => {
      // Allows concurrent reads and blocks other publications.
      await manager.query('lock table pricing.revisions in share row exclusive mode');
      const rows = await manager.query<RevisionRow[]>(`select ${COLUMNS} from pricing.revisions order by id`);
      const [{ now }] = await manager.query<[{ now: Date }]>('select clock_timestamp() as now');
      const auditTrail = new PostgresAuditTrail(queriesIn(manager));
      const planned = plan(rows.map(toRevision), now);
      for (const { version, effectiveAt, pricesFrom, source, body, sha256 } of planned) {
        await manager.query(
          `insert into pricing.revisions (${COLUMNS}, published_by) values ($1, $2, $3, $4, $5, $6, $7)`,
          [version, effectiveAt, pricesFrom, JSON.stringify(source), body, sha256, publisher],
        );
        await auditTrail.record({
          organization: PLATFORM,
          actor: { issuer: PLATFORM, subject: publisher },
          action: 'pricing.published',
          target: version,
          detail: { effective_at: effectiveAt.toISOString(), sha256: sha256.toString('hex') },
        });
      }
      return planned;
    });
    return published.catch((error: unknown) => {
      if (!TOO_LATE.some((constraint) => violatesConstraint(error, constraint))) throw error;
      throw new PublicationRefused([
        'The publication took too long, so its effective date is no longer far enough ahead. Publish again.',
      ]);
    });
  }
}

function toRevision({ version, effective_at, prices_from, source, body, sha256 }: RevisionRow): Revision {
  return { version, effectiveAt: effective_at, pricesFrom: prices_from, source, body, sha256 };
}
