import type { Redirect } from '../../domain/sites/redirect-rules';
import { isRuleFile } from '../../domain/sites/site-rules';
import {
  encodePath,
  candidateFiles,
  indexPageOf,
  parseRequestPath,
  type RequestPath,
} from '../../domain/sites/request-path';
import type { Site, SiteFile } from './site-directory.port';

/** A site to which something was deployed. */
export type DeployedSite = Site & { readonly deploy: NonNullable<Site['deploy']> };

/** What a visitor asks a site for. */
export interface SiteRequest {
  readonly target: RequestPath;
  /** Path and query as they were sent; the query without its question mark. */
  readonly rawPath: string;
  readonly rawQuery: string;
}

/** What a site has at a path. Nothing of it changes while the site is the same. */
export type Resolution =
  | {
      readonly kind: 'file';
      readonly file: SiteFile;
      readonly status: 200 | 404;
      /** Whether the address is the file's own: what its name promises then holds for the address. */
      readonly isOwnAddress: boolean;
      /** Whether it is the answer whatever the query says. */
      readonly isForAnyQuery: boolean;
      /** Where people are sent so that the links of a folder's page work. */
      readonly folder?: string;
    }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | {
      readonly kind: 'nothing';
      /** What people get all the same: the one page of an app that finds its way by itself. */
      readonly page: SiteFile | undefined;
    };

/** The files of deploys, and what else decides. */
export interface SiteLookup {
  /** Those of the paths that a deploy has. @throws {DatabaseUnavailable} */
  findFiles(deployId: string, paths: readonly string[]): Promise<ReadonlyMap<string, SiteFile>>;
  /** A file of an earlier deploy of an app. @throws {DatabaseUnavailable} */
  findInEarlierDeploy(site: DeployedSite, path: string): Promise<SiteFile | undefined>;
  /** What `_redirects` says. */
  redirectFor(site: DeployedSite, address: SiteRequest): Redirect | undefined;
  /** Whether a path may be one that a build tool named after its content. */
  mayBeHashed(path: string): boolean;
}

const INDEX = indexPageOf('');
const NOT_FOUND = '404.html';

/** Decides what answers at a path of a site. */
export class SiteResolver {
  constructor(private readonly lookup: SiteLookup) {}

  /** @throws {DatabaseUnavailable} */
  async resolve(site: DeployedSite, address: SiteRequest): Promise<Resolution> {
    const { target } = address;
    const candidates = candidateFiles(target);
    const files = await this.lookup.findFiles(site.deploy.id, [...candidates, INDEX, NOT_FOUND]);
    return (
      fileAt(target, candidates, files) ?? (await this.#ruled(site, address)) ?? this.#missing(site, target, files)
    );
  }

  async #ruled(site: DeployedSite, address: SiteRequest): Promise<Resolution | undefined> {
    const redirect = this.lookup.redirectFor(site, address);
    if (!redirect || 'location' in redirect) return redirect && { kind: 'redirect', ...redirect };
    const target = parseRequestPath(redirect.path);
    const candidates = target ? candidateFiles(target) : [];
    const file = firstOf(candidates, await this.lookup.findFiles(site.deploy.id, candidates));
    if (!file) return undefined;
    // "Everything else is the start page" is not meant for the scripts of a page that is still open.
    const earlier = isPage(file) && (await this.#earlier(site, address.target));
    return earlier || { kind: 'file', file, status: redirect.status, isOwnAddress: false, isForAnyQuery: false };
  }

  async #earlier(site: DeployedSite, { path }: RequestPath): Promise<Resolution | undefined> {
    if (site.kind !== 'app' || path === undefined) return undefined;
    if (isRuleFile(path) || !this.lookup.mayBeHashed(path)) return undefined;
    const file = await this.lookup.findInEarlierDeploy(site, path);
    return file && { kind: 'file', file, status: 200, isOwnAddress: true, isForAnyQuery: false };
  }

  async #missing(site: DeployedSite, target: RequestPath, files: ReadonlyMap<string, SiteFile>): Promise<Resolution> {
    const earlier = await this.#earlier(site, target);
    if (earlier) return earlier;
    const page = files.get(NOT_FOUND);
    if (page) return { kind: 'file', file: page, status: 404, isOwnAddress: false, isForAnyQuery: false };
    return { kind: 'nothing', page: files.get(INDEX) };
  }
}

function fileAt(
  target: RequestPath,
  candidates: readonly string[],
  files: ReadonlyMap<string, SiteFile>,
): Resolution | undefined {
  const file = firstOf(candidates, files);
  if (!file) return undefined;
  const { path, isFolder } = target;
  const isFolderPage = path !== undefined && path !== '' && !isFolder && file.path === indexPageOf(path);
  return {
    kind: 'file',
    file,
    status: 200,
    isOwnAddress: file.path === path,
    isForAnyQuery: true,
    ...(isFolderPage && { folder: `${encodePath(path)}/` }),
  };
}

function isPage({ contentType }: SiteFile): boolean {
  return contentType.startsWith('text/html');
}

function firstOf(paths: readonly string[], files: ReadonlyMap<string, SiteFile>): SiteFile | undefined {
  return paths.map((path) => files.get(path)).find((file) => file !== undefined);
}
