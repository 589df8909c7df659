import { join } from 'node:path';
import type { ServerPlan } from '@homeport/hosting/contracts';
import type { SandboxSpec } from '../application/sandbox.port';

/** Part of the memory limit for the JavaScript heap; the rest is for buffers, code and stacks. */
const HEAP_SHARE = 0.75;
const MEBIBYTE = 1024 ** 2;

/** Where the app and the guest code are, as the process sees them. */
export interface GuestPaths {
  readonly app: string;
  readonly guest: string;
}

/** The arguments of Node that run the server of a deploy. */
export function nodeArguments(
  { plan, limits }: Pick<SandboxSpec, 'plan' | 'limits'>,
  { app, guest }: GuestPaths,
): readonly string[] {
  const heap = Math.floor((limits.memoryBytes * HEAP_SHARE) / MEBIBYTE);
  return [
    `--max-old-space-size=${heap}`,
    '--import',
    join(guest, 'guest.mjs'),
    ...entryArguments(plan, join(app, plan.entry), guest),
  ];
}

function entryArguments(plan: ServerPlan, entry: string, guest: string): readonly string[] {
  if (plan.kind === 'script') return [entry, ...(plan.args ?? [])];
  return [join(guest, 'handler.mjs'), entry, plan.exportName ?? 'default'];
}

/** Variables that the sandbox decides. */
export interface FixedEnvironment {
  readonly port: number;
  readonly temporaryFolder: string;
  /** Whether loopback is the app's own and everything else goes through the proxy. */
  readonly proxyUrl?: string;
}

/** The environment of the app: its own variables, under those of the framework, under those of the sandbox. */
export function guestEnvironment(
  { plan, environment }: Pick<SandboxSpec, 'plan' | 'environment'>,
  { port, temporaryFolder, proxyUrl }: FixedEnvironment,
): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'production',
    ...environment,
    ...plan.environment,
    PORT: String(port),
    HOST: '127.0.0.1',
    HOSTNAME: '127.0.0.1',
    HOME: temporaryFolder,
    TMPDIR: temporaryFolder,
    ...(proxyUrl !== undefined && proxyEnvironment(proxyUrl)),
  };
}

/**
 * Lets Node use the proxy. It is set at the start of Node, and the address of the proxy later: otherwise Node loads its
 * client for `fetch` before the app.
 */
export const USE_PROXY = { NODE_USE_ENV_PROXY: '1' } as const;

/** Child processes of the app, such as curl, read the lower-case names. */
function proxyEnvironment(url: string): Readonly<Record<string, string>> {
  const direct = 'localhost,127.0.0.1,[::1]';
  return {
    ...USE_PROXY,
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: direct,
    http_proxy: url,
    https_proxy: url,
    no_proxy: direct,
  };
}
