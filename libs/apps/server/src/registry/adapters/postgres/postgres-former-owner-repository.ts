import { FormerOwnerRepository } from '../../application/former-owner-repository.port';
import type { NameHistory, NewFormerOwner } from '../../domain/former-owner';
import type { Queries } from '@homeport/platform/server/database';
import { FormerOwnerEntity } from './former-owner.entity';

interface HistoryRow {
  readonly read_at: Date;
  readonly record_owner: string | null;
  /** Null when the name has no former owner; then the columns below are null too. */
  readonly organization: string | null;
  readonly released_at: Date;
  readonly clears_data_until: Date | null;
  readonly later_releases: number;
}

/** The former owners of names in PostgreSQL. */
export class PostgresFormerOwnerRepository extends FormerOwnerRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async historyOf(subdomain: string, maxLaterReleases: number): Promise<NameHistory> {
    const [row] = await this.queries.run((manager) =>
      manager.query<[HistoryRow]>(
        `select clock_timestamp() as read_at,
           (select organization from apps.dns_records where subdomain = name.subdomain) as record_owner,
           f.organization, f.released_at, f.clears_data_until,
           (select count(*)::int from (
             select 1 from apps.former_owners later
             where later.organization = f.organization and later.released_at > f.released_at limit $2
           ) released_later) as later_releases
         from (select $1::text as subdomain) name left join apps.former_owners f using (subdomain)`,
        [subdomain, maxLaterReleases],
      ),
    );
    return toNameHistory(row);
  }

  async add({ subdomain, organization, clearsDataUntil }: NewFormerOwner): Promise<void> {
    const owner = { subdomain, organization, clearsDataUntil: clearsDataUntil ?? null };
    await this.queries.run((manager) =>
      manager.upsert(FormerOwnerEntity, { ...owner, releasedAt: () => 'clock_timestamp()' }, ['subdomain']),
    );
  }

  async remove(subdomain: string): Promise<void> {
    await this.queries.run((manager) => manager.delete(FormerOwnerEntity, { subdomain }));
  }

  async removeReleasedBefore(days: number): Promise<void> {
    await this.queries.run((manager) =>
      manager
        .createQueryBuilder()
        .delete()
        .from(FormerOwnerEntity)
        .where('released_at < clock_timestamp() - make_interval(days => :days)', { days })
        .execute(),
    );
  }
}

function toNameHistory(row: HistoryRow): NameHistory {
  const formerOwner =
    row.organization === null
      ? undefined
      : {
          organization: row.organization,
          releasedAt: row.released_at,
          clearsDataUntil: row.clears_data_until ?? undefined,
          laterReleases: row.later_releases,
        };
  return { readAt: row.read_at, recordOwner: row.record_owner ?? undefined, formerOwner };
}
