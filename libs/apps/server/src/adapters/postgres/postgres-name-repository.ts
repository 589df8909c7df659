import { NameRepository } from '../../application/registry/name-repository.port';
import type { NameHistory, NameRelease } from '../../domain/registry/former-owner';
import type { Queries } from './queries';

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
export class PostgresNameRepository extends NameRepository {
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

  async recordRelease({ subdomain, organization, clearsDataUntil }: NameRelease): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        `insert into apps.former_owners (subdomain, organization, clears_data_until) values ($1, $2, $3)
         on conflict (subdomain) do update
         set organization = excluded.organization, released_at = excluded.released_at,
             clears_data_until = excluded.clears_data_until`,
        [subdomain, organization, clearsDataUntil ?? null],
      ),
    );
  }

  async removeFormerOwner(subdomain: string): Promise<void> {
    await this.queries.run((manager) =>
      manager.query('delete from apps.former_owners where subdomain = $1', [subdomain]),
    );
  }

  async removeReleasedBefore(days: number): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        'delete from apps.former_owners where released_at < clock_timestamp() - make_interval(days => $1)',
        [days],
      ),
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
