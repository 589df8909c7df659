import { mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { SandboxSpec } from '../application/sandbox.port';
import { GUEST_FOLDER } from './guest-files';
import { ociConfig, prepareRoot } from './gvisor-bundle';
import { mountsFor, runscArguments } from './gvisor-instance';

const MIB = 1024 ** 2;
const SPEC: SandboxSpec = {
  instanceId: 'a1b2',
  appId: 'app',
  appFolder: '/bundles/1',
  plan: { framework: 'node', kind: 'script', entry: 'server.mjs', environment: { FRAMEWORK: '1' } },
  environment: { API_KEY: 'secret' },
  limits: { memoryBytes: 256 * MIB, cpus: 1, processes: 64, tmpBytes: 8 * MIB },
  onLine: () => undefined,
};
const mounts = mountsFor({ node: process.execPath }, '/bundles/1', '/run/1/run');
const config = ociConfig(SPEC, { root: '/run/root', mounts, control: '/s/control', http: '/s/http' }) as {
  root: object;
  process: { user: object; args: string[]; env: string[]; capabilities: Record<string, unknown[]> };
  mounts: { destination: string; type: string; source: string; options: string[] }[];
  linux: { namespaces: { type: string }[] };
};
const mountAt = (path: string) => config.mounts.find(({ destination }) => destination === path);

describe('ociConfig', () => {
  it('runs Node with the guest as an ordinary user without capabilities', () => {
    expect(config.process).toMatchObject({ user: { uid: 1000, gid: 1000 }, cwd: '/app', noNewPrivileges: true });
    expect(config.process.args.slice(-3)).toEqual(['--import', '/homeport/guest/guest.mjs', '/app/server.mjs']);
    expect(Object.values(config.process.capabilities)).toEqual([[], [], [], [], []]);
  });

  it('contains no variable of the app: they pass through standard input', () => {
    expect(JSON.stringify(config)).not.toMatch(/API_KEY|secret|FRAMEWORK/);
    const guest = config.process.env.find((each) => each.startsWith('HOMEPORT_GUEST='));
    expect(JSON.parse(guest?.slice('HOMEPORT_GUEST='.length) ?? '')).toEqual({
      proxy: { port: 3128, path: '/homeport/run/egress' },
      channel: { control: '/s/control', http: '/s/http' },
    });
  });

  it('shows everything read-only, apart from limited folders in memory and the folder of sockets', () => {
    expect(config.root).toEqual({ path: '/run/root', readonly: true });
    expect(mountAt('/app')).toMatchObject({ source: '/bundles/1', options: ['rbind', 'ro', 'nosuid', 'nodev'] });
    const writable = config.mounts.filter(({ options }) => !options.includes('ro')).map((each) => each.destination);
    expect(writable.sort()).toEqual(['/dev/shm', '/homeport/run', '/tmp']);
    for (const path of ['/tmp', '/dev/shm']) expect(mountAt(path)?.options).toContain(`size=${8 * MIB}`);
  });

  it('shares the size of temporary files with the cache folder of a framework', () => {
    const plan = { ...SPEC.plan, cacheFolder: '.next/cache' };
    const bundle = { root: '/run/root', mounts, control: '/s/control', http: '/s/http' };
    const { mounts: found } = ociConfig({ ...SPEC, plan }, bundle) as typeof config;
    const sizeOf = (path: string) => found.find(({ destination }) => destination === path)?.options.at(-1);
    expect([sizeOf('/tmp'), sizeOf('/app/.next/cache')]).toEqual([`size=${4 * MIB}`, `size=${4 * MIB}`]);
  });

  it('separates processes, network, names and messages', () => {
    expect(config.linux.namespaces.map(({ type }) => type).sort()).toEqual(['ipc', 'mount', 'network', 'pid', 'uts']);
  });
});

describe('runscArguments', () => {
  it('gives apps no network but the sockets of their folder', () => {
    const args = ['--root=/r/gvisor', '--network=none', '--host-uds=all', '--ignore-cgroups'];
    expect(runscArguments({ runDirectory: '/r' })).toEqual(args);
  });
});

(process.platform === 'linux' ? describe : describe.skip)('prepareRoot', () => {
  it('creates the mount points, and links for the accounts of the guest', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'homeport-root-'));
    try {
      const root = join(folder, 'root');
      for (let repeated = 0; repeated < 2; repeated += 1)
        await prepareRoot(root, mountsFor({ node: process.execPath }, GUEST_FOLDER, folder));
      expect(await readdir(root)).toEqual(
        expect.arrayContaining(['app', 'dev', 'etc', 'homeport', 'proc', 'tmp', 'usr']),
      );
      expect((await stat(join(root, 'homeport/bin/node'))).isFile()).toBe(true);
      expect(await readlink(join(root, 'etc/passwd'))).toBe('/homeport/guest/etc/passwd');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
