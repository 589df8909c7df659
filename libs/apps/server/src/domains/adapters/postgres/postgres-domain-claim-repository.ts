import type { DomainRecord } from '@homeport/apps/contracts';
import type { Queries } from '@homeport/platform/server/database';
import { violatesConstraint } from '@homeport/platform/server/postgres';
import { In, IsNull } from 'typeorm';
import { UUID } from '../../../shared/adapters/postgres/uuid';
import {
  type ClaimIdentity,
  DomainClaimRepository,
  type DomainClaimRecord,
} from '../../application/domain-claim-repository.port';
import type { DomainClaimChanges, DomainClaimFacts } from '../../domain/domain-claim';
import type { DomainName } from '../../domain/domain-name';
import { registrableDomainOrName } from '../../domain/domain-rules';
import { DomainTaken } from '../../domain/domains.errors';
import { DomainClaimEntity, type DomainClaimRow } from './domain-claim.entity';

/** Waits for the transaction that holds the lock of the same name. */
const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';

/** The claims in PostgreSQL. */
export class PostgresDomainClaimRepository extends DomainClaimRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async add(claim: DomainClaimFacts, records: readonly DomainRecord[]): Promise<void> {
    const priceUsd = String(claim.priceUsd);
    const row = {
      ...toColumns(claim),
      priceUsd,
      registrableDomain: registrableDomainOrName(claim.name),
      records: [...records],
    };
    try {
      await this.queries.run((manager) => manager.insert(DomainClaimEntity, row));
    } catch (error) {
      throw violatesConstraint(error, 'domain_claims_own_key') ? DomainTaken.byOwn(claim.name) : error;
    }
  }

  async find(organization: string, id: string): Promise<DomainClaimRecord | undefined> {
    if (!UUID.test(id)) return undefined;
    const row = await this.queries.run((manager) =>
      manager.findOneBy(DomainClaimEntity, { id, organization, releasedAt: IsNull() }),
    );
    return row ? toRecord(row) : undefined;
  }

  async list(organization: string, appId?: string): Promise<readonly DomainClaimRecord[]> {
    if (appId !== undefined && !UUID.test(appId)) return [];
    const rows = await this.queries.run((manager) =>
      manager.find(DomainClaimEntity, {
        where: { organization, releasedAt: IsNull(), ...(appId !== undefined && { appId }) },
        order: { createdAt: 'asc', id: 'asc' },
      }),
    );
    return rows.map(toRecord);
  }

  async findByName(organization: string, name: DomainName): Promise<DomainClaimRecord | undefined> {
    const row = await this.queries.run((manager) =>
      manager.findOneBy(DomainClaimEntity, { organization, name, releasedAt: IsNull() }),
    );
    return row ? toRecord(row) : undefined;
  }

  async countPending(organization: string): Promise<number> {
    return this.queries.run((manager) =>
      manager.countBy(DomainClaimEntity, { organization, verifiedAt: IsNull(), releasedAt: IsNull() }),
    );
  }

  async lockRelated({ id, organization, name }: ClaimIdentity): Promise<readonly DomainClaimFacts[]> {
    const domain = registrableDomainOrName(name);
    return this.queries.run(async (manager) => {
      await manager.query(LOCK, [`domains of ${domain}`]);
      // An organization can have thousands of names below one domain, which do not concern each other.
      const related = await manager
        .createQueryBuilder(DomainClaimEntity, 'c')
        .where('c.id = :id', { id })
        .orWhere(
          `c.registrableDomain = :domain and c.releasedAt is null and c.verifiedAt is not null
             and c.organization <> :organization
             and (c.name = :name or right(c.name, :below) = :suffix or :name like '%.' || c.name)`,
          { domain, organization, name, suffix: `.${name}`, below: name.length + 1 },
        )
        .getMany();
      return related.filter(({ releasedAt }) => releasedAt === null).map(toRecord);
    });
  }

  async lockOrganization(organization: string): Promise<void> {
    await this.queries.run((manager) => manager.query(LOCK, [`domains of organization ${organization}`]));
  }

  async endRedirectsTo(organization: string, name: DomainName): Promise<void> {
    await this.queries.run((manager) =>
      manager.update(DomainClaimEntity, { organization, redirectTo: name, releasedAt: IsNull() }, { redirectTo: null }),
    );
  }

  async change(id: string, changes: DomainClaimChanges, records?: readonly DomainRecord[]): Promise<void> {
    const row = { ...toColumns(changes), ...(records && { records: [...records] }) };
    if (Object.keys(row).length === 0) return;
    await this.queries.run((manager) => manager.update(DomainClaimEntity, { id }, row));
  }

  async acquireDue(leaseMs: number, limit: number): Promise<readonly DomainClaimFacts[]> {
    return this.queries.run(async (manager) => {
      // The lease is the time of the next check, so that a check that was lost is repeated. The index finds the due
      // claims only with a function that is stable within the statement.
      const [rows] = await manager.query<[{ id: string }[], number]>(
        `with due as (
           select id from apps.domain_claims where next_check_at <= statement_timestamp()
           order by next_check_at limit $2 for update skip locked)
         update apps.domain_claims c set next_check_at = clock_timestamp() + $1 * interval '1 millisecond'
         from due where c.id = due.id returning c.id`,
        [leaseMs, limit],
      );
      const claims = await manager.findBy(DomainClaimEntity, { id: In(rows.map(({ id }) => id)) });
      return claims.map(toRecord);
    });
  }

  async msUntilDue(): Promise<number | undefined> {
    const [row] = await this.queries.run((manager) =>
      manager.query<[{ ms: string | null }]>(
        `select greatest(0, extract(epoch from min(next_check_at) - clock_timestamp()) * 1000) as ms
         from apps.domain_claims where next_check_at is not null`,
      ),
    );
    return row.ms === null ? undefined : Number(row.ms);
  }
}

/** The columns of values; undefined ones become null. */
function toColumns<Values extends DomainClaimChanges>(values: Values) {
  const columns = Object.entries(values).map(([name, value]) => [name, value ?? null]);
  return Object.fromEntries(columns) as { -readonly [Name in keyof Values]: NonNullable<Values[Name]> };
}

/** The claim of a row. */
export function toRecord(row: DomainClaimRow): DomainClaimRecord {
  const { id, organization, kind, token, createdAt, routing, certificate, isPrimary, hsts, cardVersion, records } = row;
  return {
    ...{ id, organization, kind, token, createdAt, routing, certificate, isPrimary, hsts, cardVersion, records },
    name: row.name as DomainName,
    appId: row.appId ?? undefined,
    verifiedAt: row.verifiedAt ?? undefined,
    failingSince: row.failingSince ?? undefined,
    noticedAt: row.noticedAt ?? undefined,
    checkedAt: row.checkedAt ?? undefined,
    suspendedAt: row.suspendedAt ?? undefined,
    releasedAt: row.releasedAt ?? undefined,
    redirectTo: row.redirectTo ?? undefined,
    nextCheckAt: row.nextCheckAt ?? undefined,
    priceUsd: Number(row.priceUsd),
    certificateExpiresAt: row.certificateExpiresAt ?? undefined,
  };
}
