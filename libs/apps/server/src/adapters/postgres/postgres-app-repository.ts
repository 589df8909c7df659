import { inDatabase, violates } from '@homeport/platform/server';
import { type DataSource, Not, type Repository } from 'typeorm';
import { AppRepository } from '../../application/app-repository.port';
import type { AppRecord, DnsState, NewApp } from '../../domain/app-record';
import { SubdomainTaken } from '../../domain/apps.errors';
import type { Subdomain } from '../../domain/subdomain';
import { AppEntity, type AppRow, DanglingSubdomainEntity } from './app.entity';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The apps in PostgreSQL. */
export class PostgresAppRepository extends AppRepository {
  readonly #apps: Repository<AppRow>;

  constructor(private readonly database: DataSource) {
    super();
    this.#apps = database.getRepository(AppEntity);
  }

  async add(app: NewApp): Promise<AppRecord> {
    return inDatabase(() =>
      this.database.transaction(async (manager) => {
        const { subdomain, organization } = app;
        const row = await manager
          .getRepository(AppEntity)
          .save({ ...app })
          .catch((error: unknown) => {
            throw violates(error, 'apps_subdomain_key') ? new SubdomainTaken(subdomain) : error;
          });
        // Only now: the insert has waited for a deletion under way, which may have left its record dangling.
        const dangling = manager.getRepository(DanglingSubdomainEntity);
        if (await dangling.existsBy({ subdomain, organization: Not(organization) })) {
          throw new SubdomainTaken(subdomain);
        }
        await dangling.delete({ subdomain });
        return recordOf(row as AppRow);
      }),
    );
  }

  async list(organization: string): Promise<readonly AppRecord[]> {
    const rows = await inDatabase(() =>
      this.#apps.find({ where: { organization }, order: { createdAt: 'DESC', id: 'DESC' } }),
    );
    return rows.map(recordOf);
  }

  async find(organization: string, id: string): Promise<AppRecord | undefined> {
    if (!UUID.test(id)) return undefined;
    const row = await inDatabase(() => this.#apps.findOneBy({ organization, id }));
    return row ? recordOf(row) : undefined;
  }

  async recordDns(id: string, dns: DnsState): Promise<AppRecord | undefined> {
    return inDatabase(async () => {
      await this.#apps.update({ id }, { dnsStatus: dns.status, dnsError: dns.error ?? null });
      const row = await this.#apps.findOneBy({ id });
      return row ? recordOf(row) : undefined;
    });
  }

  async remove(app: AppRecord, dangling: boolean): Promise<boolean> {
    const { id, organization, subdomain } = app;
    return inDatabase(() =>
      this.database.transaction(async (manager) => {
        const { affected } = await manager.getRepository(AppEntity).delete({ id, organization });
        if (affected !== 1) return false;
        if (dangling) await manager.getRepository(DanglingSubdomainEntity).insert({ subdomain, organization });
        return true;
      }),
    );
  }
}

function recordOf(row: AppRow): AppRecord {
  return {
    id: row.id,
    organization: row.organization,
    name: row.name,
    // Only parsed subdomains are ever written, and the table's own check keeps it so.
    subdomain: row.subdomain as Subdomain,
    type: row.type,
    deployCount: row.deployCount,
    activeDeployId: row.activeDeployId,
    dns: { status: row.dnsStatus, ...(row.dnsError === null ? {} : { error: row.dnsError }) },
    createdAt: row.createdAt,
    createdBy: row.createdBy,
  };
}
