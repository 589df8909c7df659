import {
  candidateFiles,
  encodePath,
  indexPageOf,
  isRuleFile,
  parseRequestPath,
  type Redirect,
  type RequestPath,
} from '@homeport/hosting/contracts';
import type { Site, SiteFile } from './site-directory.port';

/** A site with a deploy. */
export type DeployedSite = Site & { readonly deploy: NonNullable<Site['deploy']> };

export function isDeployed(site: Site): site is DeployedSite {
  return site.deploy !== undefined;
}

/** The request of a visitor to a site. */
export interface SiteRequest {
  readonly target: RequestPath;
  /** Path and query as sent; the query without its question mark. */
  readonly rawPath: string;
  readonly rawQuery: string;
}

/** The result for a path. It does not change while the site is the same. */
export type Resolution =
  | {
      readonly kind: 'file';
      readonly file: SiteFile;
      readonly status: 200 | 404;
      /** Whether the URL has the name of the file, so that a hash in the name also applies to the URL. */
      readonly isOwnAddress: boolean;
      /** Whether the result does not depend on the query. */
      readonly isForAnyQuery: boolean;
      /** The redirect target that makes relative links of a folder's index page work. */
      readonly folder?: string;
    }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  /** The server of the site answers. */
  | { readonly kind: 'server' }
  | {
      readonly kind: 'nothing';
      /** The start page, which navigations receive instead: a single-page app resolves the path itself. */
      readonly page: SiteFile | undefined;
    };

/** The lookups that the resolver needs. */
export interface SiteLookup {
  /** Finds the files of a deploy at those of the paths that exist. @throws {DatabaseUnavailable} */
  findFiles(deployId: string, paths: readonly string[]): Promise<ReadonlyMap<string, SiteFile>>;
  /** Finds a file of an earlier deploy of an app. @throws {DatabaseUnavailable} */
  findInEarlierDeploy(site: DeployedSite, path: string): Promise<SiteFile | undefined>;
  /** Applies the rules of `_redirects`. */
  redirectFor(site: DeployedSite, address: SiteRequest): Redirect | undefined;
  /** Whether the name of a file may contain a content hash. */
  mayBeHashed(path: string): boolean;
}

const INDEX = indexPageOf('');
const NOT_FOUND = '404.html';

/** Decides how a site answers a request. */
export class SiteResolver {
  constructor(private readonly lookup: SiteLookup) {}

  /** @throws {DatabaseUnavailable} */
  async resolve(site: DeployedSite, address: SiteRequest): Promise<Resolution> {
    const { target } = address;
    const candidates = candidateFiles(target);
    const files = await this.lookup.findFiles(site.deploy.id, [...candidates, INDEX, NOT_FOUND]);
    return (
      fileAt(target, candidates, files) ?? (await this.#applyRules(site, address)) ?? this.#missing(site, target, files)
    );
  }

  async #applyRules(site: DeployedSite, address: SiteRequest): Promise<Resolution | undefined> {
    const redirect = this.lookup.redirectFor(site, address);
    if (!redirect || 'location' in redirect) return redirect && { kind: 'redirect', ...redirect };
    const target = parseRequestPath(redirect.path);
    const candidates = target ? candidateFiles(target) : [];
    const file = firstOf(candidates, await this.lookup.findFiles(site.deploy.id, candidates));
    if (!file) return undefined;
    // A fallback rule to a page must not apply to the scripts of an earlier deploy that open pages still load.
    const earlier = isPage(file) && (await this.#inEarlierDeploy(site, address.target));
    return earlier || { kind: 'file', file, status: redirect.status, isOwnAddress: false, isForAnyQuery: false };
  }

  async #inEarlierDeploy(site: DeployedSite, { path }: RequestPath): Promise<Resolution | undefined> {
    if (site.kind !== 'app' || path === undefined) return undefined;
    if (isRuleFile(path) || !this.lookup.mayBeHashed(path)) return undefined;
    const file = await this.lookup.findInEarlierDeploy(site, path);
    return file && { kind: 'file', file, status: 200, isOwnAddress: true, isForAnyQuery: false };
  }

  async #missing(site: DeployedSite, target: RequestPath, files: ReadonlyMap<string, SiteFile>): Promise<Resolution> {
    const earlier = await this.#inEarlierDeploy(site, target);
    if (earlier) return earlier;
    if (site.server) return { kind: 'server' };
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
