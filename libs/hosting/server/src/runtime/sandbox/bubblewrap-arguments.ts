import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxLimits } from '../application/sandbox.port';
import { USE_PROXY } from './guest-command';
import { GUEST_PACKAGES } from './guest-files';

/** Where things are inside a sandbox. */
export const INSIDE = {
  app: '/app',
  guest: '/homeport/guest',
  packages: '/homeport/node_modules',
  node: '/homeport/bin/node',
  run: '/homeport/run',
  temporary: '/tmp',
} as const;

/** The port of the app. Every sandbox has a separate loopback interface. */
export const APP_PORT = 3000;
const PROXY_PORT = 3128;
export const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`;
const PATH = '/homeport/bin:/usr/local/bin:/usr/bin:/bin';
const USER_INSIDE = '1000';

/** Descriptors that the shell and bubblewrap get after those of the guest, and close before they run the app. */
export const GATE = 5;
export const ARGUMENTS = 6;
export const SECCOMP = 7;

/** A file or folder of the host, which the user of the app must be able to reach. */
export interface Mount {
  readonly source: string;
  readonly target: string;
}

export interface MountSources {
  readonly app: string;
  readonly guest: string;
  readonly node: string;
  readonly run: string;
  readonly packageFolder: (name: (typeof GUEST_PACKAGES)[number]) => string;
}

/** What an instance sees read-only. */
export function mountsOf({ app, guest, node, run, packageFolder }: MountSources): readonly Mount[] {
  return [
    { source: app, target: INSIDE.app },
    { source: guest, target: INSIDE.guest },
    { source: node, target: INSIDE.node },
    { source: run, target: INSIDE.run },
    ...GUEST_PACKAGES.map((name) => ({ source: packageFolder(name), target: join(INSIDE.packages, name) })),
  ];
}

export interface BubblewrapOptions {
  readonly mounts: readonly Mount[];
  /** Of all writable folders together. */
  readonly tmpBytes: number;
  /** A folder below the app that exists, and becomes writable. */
  readonly cacheFolder?: string | undefined;
}

/** The options of `bwrap`. They pass through a pipe: those of the command line can be read inside the sandbox. */
export function bubblewrapArguments({ mounts, tmpBytes, cacheFolder }: BubblewrapOptions): readonly string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
    ...['--uid', USER_INSIDE, '--gid', USER_INSIDE, '--hostname', 'app'],
    ...['--new-session', '--die-with-parent', '--clearenv'],
    ...Object.entries(visibleEnvironment()).flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemFiles(),
    ...mounts.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...['passwd', 'group', 'hosts', 'nsswitch.conf'].flatMap((name) => [
      ...['--symlink', join(INSIDE.guest, 'etc', name), join('/etc', name)],
    ]),
    ...['--proc', '/proc', '--remount-ro', '/proc'],
    ...['--dev', '/dev', '--remount-ro', '/dev'],
    ...writableFolders(tmpBytes, cacheFolder).flatMap(({ path, bytes }) => ['--size', String(bytes), '--tmpfs', path]),
    ...['--remount-ro', '/', '--chdir', INSIDE.app],
  ];
}

/** The folders in memory that the app may write, and their sizes: together `tmpBytes`. */
export function writableFolders(
  tmpBytes: number,
  cacheFolder: string | undefined,
): readonly { readonly path: string; readonly bytes: number }[] {
  const paths = [INSIDE.temporary, ...(cacheFolder === undefined ? [] : [join(INSIDE.app, cacheFolder)])];
  return paths.map((path) => ({ path, bytes: Math.floor(tmpBytes / paths.length) }));
}

/** What Node reads before `guest.mjs` runs. Nothing in it is secret. */
export function visibleEnvironment(guest: object = {}): Readonly<Record<string, string>> {
  const proxy = { port: PROXY_PORT, path: join(INSIDE.run, 'egress') };
  return { PATH, HOMEPORT_GUEST: JSON.stringify({ proxy, ...guest }), ...USE_PROXY };
}

/** Libraries and programs of the operating system, and its certificate authorities. */
function systemFiles(): readonly string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap(systemFolder),
    ...['--dir', '/etc', '--ro-bind-try', '/etc/ssl/certs', '/etc/ssl/certs'],
  ];
}

/** Most systems have links into /usr here, others folders. */
function systemFolder(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

/** What Node reserves without using it: RLIMIT_DATA counts it, a control group does not. */
export const RESERVED_BYTES = 530 * 1024 ** 2;

/** Limits without control groups: of each process for memory, of the sandbox for processes. */
export function limitCommand({ memoryBytes, processes }: SandboxLimits): readonly string[] {
  return ['prlimit', `--data=${memoryBytes + RESERVED_BYTES}`, `--nproc=${processes}`, '--'];
}
