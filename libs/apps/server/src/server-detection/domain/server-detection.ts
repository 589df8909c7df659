import { isIgnoredPath, START_PAGE, type DeployProblem } from '@homeport/apps/contracts';
import { NoServer, UnsupportedServerBuild } from './server-detection.errors';
import { detectAmplify } from './amplify';
import { detectAngular } from './angular';
import { detectAstro } from './astro';
import type { Bundle, DetectedServer, DetectionRule } from './bundle';
import { explainMissingServer } from './missing-server';
import { detectNext } from './next';
import { detectNitro } from './nitro';
import { detectNode, NODE_ENTRIES } from './node';
import { detectOtherPlatform } from './other-platform';
import { detectReactRouter } from './react-router';
import { detectSvelteKit } from './sveltekit';

/** The first rule that recognizes a bundle decides. */
const RULES: readonly DetectionRule[] = [
  detectAmplify,
  detectAngular,
  detectNext,
  detectNitro,
  detectAstro,
  detectSvelteKit,
  detectReactRouter,
  detectOtherPlatform,
  detectNode,
];

/** Larger files are not written by hand, and their contents are not needed. */
const MAX_READ_BYTES = 512 * 1024;
const READ_FILES: ReadonlySet<string> = new Set([
  'deploy-manifest.json',
  '.amplify-hosting/deploy-manifest.json',
  'nitro.json',
  'package.json',
  ...NODE_ENTRIES,
]);

/** Whether detection reads the contents of a file. */
export function isDetectionFile({ path, size }: { readonly path: string; readonly size: number }): boolean {
  return READ_FILES.has(path) && size <= MAX_READ_BYTES;
}

/**
 * Finds the server of an SSR app.
 * @throws {NoServer} @throws {UnsupportedServerBuild} with what to do.
 */
export function detectServer(bundle: Bundle): DetectedServer {
  const found = detect(bundle);
  if (!found) throw new NoServer(explainMissingServer(bundle));
  if ('unsupported' in found) throw new UnsupportedServerBuild(found.path, found.unsupported);
  // Addresses of hidden files are never served, so the server answers them.
  const served = [...found.staticFiles].filter(([url]) => url !== '' && !isIgnoredPath(url));
  return { ...found, staticFiles: new Map(served) };
}

/** Finds a server in the files of a static app, where nothing would run it. @returns problems to show. */
export function serverWarnings(paths: readonly string[]): readonly DeployProblem[] {
  const bundle = { paths: new Set(paths), texts: new Map() };
  const found = detect(bundle);
  if (!found) return [];
  // Scripts of pages have names like servers.
  const isPage = 'plan' in found && found.plan.framework === 'node' && bundle.paths.has(START_PAGE);
  if (isPage) return [];
  const path = 'plan' in found ? found.plan.entry : found.path;
  const reason = 'The upload has a server, which a static app does not run. Register an SSR app to run it.';
  return [{ path, line: null, reason }];
}

function detect(bundle: Bundle): ReturnType<DetectionRule> {
  for (const rule of RULES) {
    const found = rule(bundle);
    if (found) return found;
  }
  return undefined;
}
