import { lstatSync, readlinkSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxSpec } from '../application/sandbox.port';
import { INSIDE, type Mount, visibleEnvironment, writableFolders } from './bubblewrap-arguments';
import { nodeArguments } from './guest-command';

/** Systems have folders here, or links into /usr. */
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'];
const CERTIFICATES = '/etc/ssl/certs';
const ACCOUNT_FILES = ['passwd', 'group', 'hosts', 'nsswitch.conf'];
const USER_INSIDE = 1000;
const VERSION = '1.0.2';

/** A mount of the OCI runtime specification. */
interface OciMount {
  readonly destination: string;
  readonly type: 'bind' | 'proc' | 'tmpfs';
  readonly source: string;
  readonly options: readonly string[];
}

export interface GvisorBundle {
  /** The folder that `prepareRoot` made. */
  readonly root: string;
  readonly mounts: readonly Mount[];
  /** Unix socket through which the guest reports to the runtime, as the guest sees it. */
  readonly control: string;
  /** Unix socket on which the app serves HTTP, as the guest sees it. */
  readonly http: string;
}

/** The `config.json` of one instance (OCI runtime specification, config-linux.md). */
export function ociConfig(spec: SandboxSpec, { root, mounts, control, http }: GvisorBundle): Readonly<object> {
  const { tmpBytes } = spec.limits;
  return {
    ociVersion: VERSION,
    hostname: 'app',
    root: { path: root, readonly: true },
    process: {
      terminal: false,
      user: { uid: USER_INSIDE, gid: USER_INSIDE },
      cwd: INSIDE.app,
      args: [INSIDE.node, ...nodeArguments(spec, INSIDE)],
      env: Object.entries(visibleEnvironment({ channel: { control, http } })).map(
        ([name, value]) => `${name}=${value}`,
      ),
      noNewPrivileges: true,
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
    },
    mounts: [
      ...systemMounts(),
      ...mounts.map(({ source, target }) => bind(source, target)),
      { destination: '/proc', type: 'proc', source: 'proc', options: ['ro', 'nosuid', 'nodev', 'noexec'] },
      temporary('/dev/shm', tmpBytes),
      ...writableFolders(tmpBytes, spec.plan.cacheFolder).map(({ path, bytes }) => temporary(path, bytes)),
    ],
    linux: { namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  };
}

/** Creates the folder below which everything is mounted: the mount points must exist, because it is read-only. */
export async function prepareRoot(root: string, mounts: readonly Mount[]): Promise<void> {
  await rm(root, { recursive: true, force: true });
  const points = [...systemMounts(), ...mounts.map(({ source, target }) => bind(source, target))];
  for (const { source, destination } of points) await createMountPoint(source, join(root, destination));
  for (const folder of ['/proc', '/dev', '/sys', '/etc', INSIDE.temporary])
    await mkdir(join(root, folder), { recursive: true });
  for (const name of ACCOUNT_FILES) await symlink(join(INSIDE.guest, 'etc', name), join(root, 'etc', name));
  for (const [path, target] of systemLinks()) await symlink(target, join(root, path));
}

async function createMountPoint(source: string, path: string): Promise<void> {
  if (lstatSync(source).isDirectory()) return void (await mkdir(path, { recursive: true }));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
}

function systemMounts(): readonly OciMount[] {
  const folders = SYSTEM_FOLDERS.filter((path) => kindOf(path) === 'folder');
  return ['/usr', ...folders, CERTIFICATES].flatMap((path) => (kindOf(path) === 'none' ? [] : [bind(path, path)]));
}

function systemLinks(): readonly (readonly [string, string])[] {
  return SYSTEM_FOLDERS.filter((path) => kindOf(path) === 'link').map((path) => [path, readlinkSync(path)]);
}

function kindOf(path: string): 'none' | 'link' | 'folder' {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'none';
  return found.isSymbolicLink() ? 'link' : 'folder';
}

function bind(source: string, destination: string): OciMount {
  // The runtime changes who may write into the folder of sockets. Everything else never changes.
  const access = destination === INSIDE.run ? 'rw' : 'ro';
  return { destination, type: 'bind', source, options: ['rbind', access, 'nosuid', 'nodev'] };
}

function temporary(destination: string, bytes: number): OciMount {
  return { destination, type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777', `size=${bytes}`] };
}
