import type { AppType, DeployProblem } from '@homeport/apps/contracts';
import { isRuleFile } from '@homeport/hosting/contracts';
import { deployContentType } from '../domain/deploy-content-type';
import { detectServer, isDetectionFile, serverWarnings } from '../../server-detection/domain/server-detection';
import type { ManifestFile } from '../domain/site-manifest';
import type { ReadyDeploy } from './deploy-repository.port';
import { isReadableRuleFile, parseRules } from './site-rule-files';

/** The contents of a deploy, as they follow from its files. */
export type Site = Pick<ReadyDeploy, 'files' | 'rules' | 'problems' | 'server'>;

/** What is known about the files of an upload. */
export interface SiteParts {
  /** All files; for a static app, at least those that are not linked yet. */
  readonly files: readonly ManifestFile[];
  /** The texts of the files that `isTextNeeded` names, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The ids of their blobs, by digest. */
  readonly blobIds: ReadonlyMap<string, string>;
  /** Whether `files` are all files of the upload; default: true. */
  readonly isComplete?: boolean;
}

/** Whether the text of a file decides how the site is served. */
export function isTextNeeded(type: AppType, file: Pick<ManifestFile, 'path' | 'size'>): boolean {
  if (type === 'static') return isReadableRuleFile(file);
  // The folder of the static files of a server is not known yet.
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  return isDetectionFile(file) || (isReadableRuleFile({ ...file, path: name }) && !isOfPackage(file.path));
}

/** Whether the bytes of a file are stored as a blob: the rules of a static site are stored with the deploy. */
export function isBlobNeeded(type: AppType, path: string): boolean {
  return type === 'ssr' || !isRuleFile(path);
}

/** Whether a file belongs to a package that a server uses, so that no browser asks for it. */
export function isOfPackage(path: string): boolean {
  return path.startsWith('node_modules/') || path.includes('/node_modules/');
}

/**
 * Decides how each file is served, and what runs the server of an SSR app.
 * @throws {NoServer} @throws {UnsupportedServerBuild} for an SSR app.
 */
export function assembleSite(type: AppType, parts: SiteParts): Site {
  return type === 'ssr' ? siteWithServer(parts) : staticSite(parts);
}

function staticSite({ files, texts, blobIds, isComplete = true }: SiteParts): Site {
  const { rules, problems } = parseRules(texts, files);
  return {
    files: files.map((file) => toDeployed(file, blobIds)),
    rules,
    problems: [...problems, ...(isComplete ? serverWarnings(files.map(({ path }) => path)) : [])],
  };
}

function siteWithServer({ files, texts, blobIds }: SiteParts): Site {
  const detected = detectServer({ paths: new Set(files.map(({ path }) => path)), texts });
  const urls = new Map([...detected.staticFiles].map(([url, path]) => [path, url]));
  const deployed = files.map((file) => {
    const url = urls.get(file.path);
    if (url === undefined) return { ...toDeployed(file, blobIds, true), role: 'server' as const };
    const bundlePath = url === file.path ? {} : { bundlePath: file.path };
    return { ...toDeployed({ ...file, path: url }, blobIds), ...bundlePath };
  });
  const { rules, problems } = rulesOfServer(ruleFilesOf(files, urls), texts);
  return { files: deployed, rules, problems: [...problems, ...detected.problems], server: detected.plan };
}

interface RuleFile {
  readonly file: ManifestFile;
  /** Where the rules apply: at the top of the addresses of the site. */
  readonly path: string;
}

/** The rule files of a site: among its static files, or at the top of the upload. */
function ruleFilesOf(files: readonly ManifestFile[], urls: ReadonlyMap<string, string>): readonly RuleFile[] {
  const found = new Map<string, RuleFile>();
  for (const file of files) {
    const path = urls.get(file.path) ?? file.path;
    if (isRuleFile(path) && (urls.has(file.path) || !found.has(path))) found.set(path, { file, path });
  }
  return [...found.values()];
}

function rulesOfServer(
  ruleFiles: readonly RuleFile[],
  texts: ReadonlyMap<string, string>,
): { readonly rules: Site['rules']; readonly problems: readonly DeployProblem[] } {
  const ruleTexts = new Map<string, string>();
  for (const { file, path } of ruleFiles) {
    const text = texts.get(file.path);
    if (text !== undefined) ruleTexts.set(path, text);
  }
  const asServed = ruleFiles.map(({ file, path }) => ({ ...file, path }));
  return parseRules(ruleTexts, asServed);
}

function toDeployed(
  { path, size, digest }: ManifestFile,
  blobIds: ReadonlyMap<string, string>,
  isForServer = false,
): Site['files'][number] {
  const blobId = isRuleFile(path) && !isForServer ? undefined : blobIds.get(digest);
  return { path, size, digest, contentType: deployContentType(path), blobId };
}
