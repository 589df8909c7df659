import { addressOf, candidatesOf, folderPageOf, type SiteTarget } from '../domain/site-target';
import type { Site, SiteFile } from './site-directory.port';

/** A site to which something was deployed. */
export type DeployedSite = Site & { readonly deploy: NonNullable<Site['deploy']> };

/** Where a rule of `_redirects` sends a request; with 200 and 404 a file of the site answers instead. */
export interface RuledTarget {
  readonly status: number;
  readonly location: string;
}

/** What a site has at a path. Nothing of it changes while the site is the same. */
export type Resolution =
  | {
      readonly kind: 'file';
      readonly file: SiteFile;
      readonly status: 200 | 404;
      /** Whether the address is the file's own: what its name promises then holds for the address. */
      readonly isOwnAddress: boolean;
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
  findEarlier(site: DeployedSite, path: string): Promise<SiteFile | undefined>;
  /** What `_redirects` says. */
  redirectFor(site: DeployedSite, target: SiteTarget): RuledTarget | undefined;
  /** Whether a path may be one that a build tool named after its content. */
  mayBeHashed(path: string): boolean;
}

const INDEX = folderPageOf('');
const NOT_FOUND = '404.html';

/** Decides what answers at a path of a site. */
export class SiteResolver {
  constructor(private readonly lookup: SiteLookup) {}

  /** @throws {DatabaseUnavailable} */
  async resolve(site: DeployedSite, target: SiteTarget): Promise<Resolution> {
    const candidates = candidatesOf(target);
    const files = await this.lookup.findFiles(site.deploy.id, [...candidates, INDEX, NOT_FOUND]);
    return fileAt(target, candidates, files) ?? (await this.#ruled(site, target)) ?? this.#missing(site, target, files);
  }

  async #ruled(site: DeployedSite, target: SiteTarget): Promise<Resolution | undefined> {
    const ruled = this.lookup.redirectFor(site, target);
    if (!ruled) return undefined;
    const { status, location } = ruled;
    if (status !== 200 && status !== 404) return { kind: 'redirect', status, location };
    const path = location.replace(/^\//, '');
    const candidates = candidatesOf({ path: path.replace(/\/$/, ''), isFolder: path.endsWith('/') });
    const files = await this.lookup.findFiles(site.deploy.id, candidates);
    const file = candidates.map((each) => files.get(each)).find((each) => each !== undefined);
    return file && { kind: 'file', file, status, isOwnAddress: false };
  }

  async #missing(site: DeployedSite, { path }: SiteTarget, files: ReadonlyMap<string, SiteFile>): Promise<Resolution> {
    if (site.kind === 'app' && path !== undefined && this.lookup.mayBeHashed(path)) {
      const file = await this.lookup.findEarlier(site, path);
      if (file) return { kind: 'file', file, status: 200, isOwnAddress: true };
    }
    const page = files.get(NOT_FOUND);
    if (page) return { kind: 'file', file: page, status: 404, isOwnAddress: false };
    return { kind: 'nothing', page: files.get(INDEX) };
  }
}

function fileAt(
  target: SiteTarget,
  candidates: readonly string[],
  files: ReadonlyMap<string, SiteFile>,
): Resolution | undefined {
  const file = candidates.map((each) => files.get(each)).find((each) => each !== undefined);
  if (!file) return undefined;
  const { path, isFolder } = target;
  const isFolderPage = path !== undefined && path !== '' && !isFolder && file.path === folderPageOf(path);
  return {
    kind: 'file',
    file,
    status: 200,
    isOwnAddress: file.path === path,
    ...(isFolderPage && { folder: `${addressOf(path)}/` }),
  };
}
