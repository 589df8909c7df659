import type { PostgresPool } from '@homeport/platform/server/postgres';
import { DatabaseUnavailable } from '@homeport/kernel';
import {
  type ReleasedName,
  type Site,
  SiteDirectory,
  type SiteDomain,
  type SiteFile,
} from '../../application/site-directory.port';
import { blobKey } from '@homeport/platform/server/blobs';
import { isAliasLabel, parsePreviewLabel, type SiteHostnames, type SiteRules } from '@homeport/hosting/contracts';

interface SiteRow {
  readonly app_id: string | null;
  readonly organization: string | null;
  readonly name: string;
  readonly deploy_id: string | null;
  readonly rules: SiteRules | null;
  readonly last_release: string | null;
  readonly clears_data_until: Date | null;
  /** Null for static sites. */
  readonly server_version: number | null;
}

interface DomainRow {
  readonly kind: SiteDomain['kind'];
  readonly organization: string;
  /** Of the app of a host name; null for base domains, and after the app was deleted. */
  readonly subdomain: string | null;
  readonly redirect_to: string | null;
}

/** Sizes are PostgreSQL bigints, which the driver returns as text. */
interface FileRow {
  readonly deploy_id: string;
  readonly path: string;
  readonly size: string;
  readonly content_type: string;
  readonly digest: string;
  readonly blob_id: string;
  readonly organization: string;
  readonly br_size: string | null;
  readonly gzip_size: string | null;
}

const FILES = `select f.deploy_id, f.path, f.size, f.content_type, encode(f.digest, 'hex') as digest,
    b.id as blob_id, b.organization, b.br_size, b.gzip_size
  from apps.deploy_files f join apps.blobs b on b.id = f.blob_id and f.role = 'static'`;

const SERVER_VERSION = 'case when d.server is not null then a.runtime_version end as server_version';
/** A released name has no app. */
const APP_SITE = `select a.id as app_id, a.organization, a.name, d.id as deploy_id, d.rules,
    (select max(id) from apps.releases where app_id = a.id) || '-' || a.deleted_deploys as last_release,
    a.clears_data_until, ${SERVER_VERSION}
  from apps.apps a left join apps.deploys d on d.id = a.active_deploy_id where a.subdomain = $1
  union all select null, null, '', null, null, null, null, null from apps.former_owners where subdomain = $1`;
const PREVIEW_SITE = `select a.id as app_id, a.organization, a.name, d.id as deploy_id, d.rules, null as last_release,
    null as clears_data_until, ${SERVER_VERSION}
  from apps.deploys d join apps.apps a on a.id = d.app_id where d.id = $1 and d.status = 'ready'`;
/** Aliases can be taken over by later owners of the app's name, so browsers must clear data there as well. */
const ALIAS_SITE = `select a.id as app_id, a.organization, a.name, d.id as deploy_id, d.rules, null as last_release,
    a.clears_data_until, ${SERVER_VERSION}
  from apps.aliases l join apps.deploys d on d.id = l.deploy_id join apps.apps a on a.id = l.app_id
  where l.label = $1 and d.status = 'ready'`;

/** The domains that serve a host: its own name before the base domain above it. */
const SERVING_DOMAIN = `select c.kind, c.organization, c.redirect_to, a.subdomain
  from apps.domain_claims c left join apps.apps a on a.id = c.app_id
  where (c.name = $1 and c.kind = 'hostname' or c.name = $2 and c.kind = 'base')
    and c.verified_at is not null and c.suspended_at is null and c.released_at is null
  order by c.kind desc limit 1`;

/** Codes of missing tables or columns: the API has not migrated the database yet. */
const MISSING_SCHEMA_CODES = ['42P01', '42703', '3F000'];

/** The site directory in PostgreSQL. */
export class PostgresSiteDirectory extends SiteDirectory {
  constructor(
    private readonly pool: Pick<PostgresPool, 'query'>,
    private readonly hostnames: SiteHostnames,
  ) {
    super();
  }

  async findSite(hostname: string): Promise<Site | ReleasedName | undefined> {
    const label = this.hostnames.labelOf(hostname);
    if (label !== undefined) {
      const row = await this.#findRow(label);
      return row && toSite(row, kindOf(label));
    }
    return this.hostnames.contains(hostname) ? undefined : this.#findByDomain(hostname);
  }

  async findFiles(deployId: string, paths: readonly string[]): Promise<readonly SiteFile[]> {
    const rows = await this.#query<FileRow>(`${FILES} where f.deploy_id = $1 and f.path = any ($2::text[])`, [
      deployId,
      paths,
    ]);
    return rows.map(toSiteFile);
  }

  async findInEarlierDeploy(appId: string, path: string): Promise<SiteFile | undefined> {
    const [row] = await this.#query<FileRow>(
      `${FILES} join apps.deploys d on d.id = f.deploy_id
       where d.app_id = $1 and d.status = 'ready' and f.path = $2
         and exists (select 1 from apps.releases r where r.app_id = d.app_id and r.deploy_id = d.id)
       order by d.created_at desc, d.id desc limit 1`,
      [appId, path],
    );
    return row && toSiteFile(row);
  }

  /** Resolves when the tables exist and are readable. @throws {DatabaseUnavailable} */
  async ready(): Promise<void> {
    await this.#query<SiteRow>(APP_SITE, ['']);
  }

  /** Finds the site of a host that is not below the platform domain. */
  async #findByDomain(hostname: string): Promise<Site | undefined> {
    const [first = '', ...rest] = hostname.split('.');
    const [domain] = await this.#query<DomainRow>(SERVING_DOMAIN, [hostname, rest.join('.')]);
    const label = domain?.kind === 'base' ? first : domain?.subdomain;
    if (!domain || !label) return undefined;
    const row = await this.#findRow(label);
    if (row?.organization !== domain.organization) return undefined;
    // A former owner of the app's name never had the domain.
    const site = toSite({ ...row, clears_data_until: null }, kindOf(label));
    return site.kind === 'released' ? undefined : { ...site, domain: this.#toSiteDomain(domain, label) };
  }

  async #findRow(label: string): Promise<SiteRow | undefined> {
    const deploy = parsePreviewLabel(label);
    const [text, value] =
      deploy === undefined ? [isAliasLabel(label) ? ALIAS_SITE : APP_SITE, label] : [PREVIEW_SITE, deploy];
    const [row] = await this.#query<SiteRow>(text, [value]);
    return row;
  }

  #toSiteDomain({ kind, redirect_to }: DomainRow, label: string): SiteDomain {
    const platformHostname = this.hostnames.hostnameOf(label);
    if (redirect_to === null) return { kind, platformHostname };
    return { kind, platformHostname, redirectTo: kind === 'base' ? `${label}.${redirect_to}` : redirect_to };
  }

  async #query<Row extends object>(text: string, values: unknown[]): Promise<readonly Row[]> {
    try {
      return await this.pool.query<Row>(text, values);
    } catch (error) {
      throw MISSING_SCHEMA_CODES.includes((error as { code?: string }).code ?? '')
        ? new DatabaseUnavailable({ cause: error })
        : error;
    }
  }
}

function kindOf(label: string): Site['kind'] {
  return parsePreviewLabel(label) !== undefined || isAliasLabel(label) ? 'preview' : 'app';
}

function toSite(row: SiteRow, kind: Site['kind']): Site | ReleasedName {
  const { app_id, name, deploy_id, rules, last_release, clears_data_until, server_version } = row;
  if (app_id === null) return { kind: 'released' };
  return {
    kind,
    appId: app_id,
    name,
    deploy: deploy_id === null || rules === null ? undefined : { id: deploy_id, rules },
    lastRelease: last_release ?? undefined,
    ...(server_version !== null && { server: { version: server_version } }),
    ...(clears_data_until && { clearsDataUntil: clears_data_until }),
  };
}

function toSiteFile(row: FileRow): SiteFile {
  return {
    deployId: row.deploy_id,
    path: row.path,
    size: Number(row.size),
    contentType: row.content_type,
    digest: row.digest,
    blob: blobKey(row.organization, row.digest, row.blob_id),
    brSize: row.br_size === null ? undefined : Number(row.br_size),
    gzipSize: row.gzip_size === null ? undefined : Number(row.gzip_size),
  };
}
