import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddressPolicy } from '@homeport/platform/server/network';
import { bubblewrapHere } from '../../testing/bubblewrap-here';
import { editedBubblewrap } from '../../testing/edited-bubblewrap';
import { SandboxBreached } from '../application/sandbox.errors';
import { userOf } from './app-user';
import { bubblewrapArguments, INSIDE, mountsOf } from './bubblewrap-arguments';
import { type BubblewrapOptions, BubblewrapSandbox } from './bubblewrap-sandbox';
import type { ControlGroups } from './control-group';
import { findControlGroups } from './control-groups';
import { GUEST_FOLDER, packageFolder } from './guest-files';

const run = promisify(execFile);
const MEBIBYTE = 1024 ** 2;
const isRoot = process.getuid?.() === 0;
const isIsolated = await bubblewrapHere();
const groups = isIsolated ? await findControlGroups() : undefined;
const onlyHere = isIsolated ? it : it.skip;
const onlyWithGroups = groups ? it : it.skip;
const onlyAsRoot = isIsolated && isRoot ? it : it.skip;

/** Each wall of bubblewrap: how to take it away, and what the examination then reaches. */
const WALLS: readonly (readonly [wall: string, edit: (folder: string) => string, ...reached: string[]])[] = [
  [
    'the files of the host',
    (folder) => String.raw`s|--chdir\0|--ro-bind\0${folder}\0${folder}\0--chdir\0|`,
    'files: a file of the host can be read',
  ],
  ['the read-only root', () => String.raw`s|--remount-ro\0/\0||`, 'files: a folder can be written (/)'],
  [
    'the network of the host',
    () => String.raw`s|--unshare-all\0|--unshare-all\0--share-net\0|`,
    'network: a service on the loopback interface answers (127.0.0.1)',
    'network: a name server on the loopback interface answers',
    'network: an abstract socket of the host answers',
  ],
  [
    'the processes of the host',
    () => String.raw`s|--proc\0/proc\0--remount-ro\0/proc\0|--ro-bind\0/proc\0/proc\0|`,
    'processes: others are visible',
  ],
  [
    'the environment',
    () => String.raw`s|--proc\0|--setenv\0DATABASE_URL\0secret\0--proc\0|`,
    'environment: unknown names',
  ],
  ['the filter of system calls', () => String.raw`s|--seccomp\0\d+\0||`, 'kernel: system calls are not filtered'],
  [
    'the ban of user namespaces',
    () => String.raw`s|--disable-userns\0||; s|--seccomp\0\d+\0||`,
    'kernel: user namespaces can be created',
  ],
  [
    'the devices of the host',
    () => String.raw`s|--dev\0/dev\0--remount-ro\0/dev\0|--dev-bind\0/dev\0/dev\0|`,
    'host: devices are visible',
  ],
  [
    'the control groups of the host',
    () => String.raw`s|--proc\0|--ro-bind\0/sys\0/sys\0--proc\0|`,
    'host: control groups are visible',
  ],
  ['the size of temporary files', () => String.raw`s|--size\0\d+\0||`, 'exhaustion: the temporary folder has no limit'],
];

describe('an examination', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-missing-'));
    await chmod(folder, 0o711);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const { signal } = new AbortController();
  /** What the examination reaches; empty when all walls hold. */
  const reached = async (changes: Partial<BubblewrapOptions>): Promise<readonly string[]> => {
    const sandbox = await BubblewrapSandbox.open({ runDirectory: folder, node: process.execPath, ...changes });
    try {
      await sandbox.examine(signal);
      return [];
    } catch (error) {
      if (!(error instanceof SandboxBreached)) throw error;
      return error.walls;
    }
  };

  onlyHere('passes with unchanged options', async () => {
    expect(await reached({ program: await editedBubblewrap(folder, '') })).toEqual([]);
  });

  onlyHere.each(WALLS)('fails without %s', async (_, edit, ...expected) => {
    const walls = await reached({ program: await editedBubblewrap(folder, edit(folder)) });
    for (const wall of expected) expect(walls).toContainEqual(expect.stringContaining(wall));
  });

  onlyHere('fails without the deny list of addresses', async () => {
    const policy = new AddressPolicy({ allowed: ['0.0.0.0/0', '::/0'] });
    expect(await reached({ policy })).toEqual([expect.stringMatching(/^network: the proxy connects to the host/)]);
  });

  onlyWithGroups.each([
    ['memory', { memoryBytes: 4096 * MEBIBYTE }],
    ['processes', { processes: 1000 }],
  ])('fails without the limit of %s', async (name, limits) => {
    const open: ControlGroups = {
      ...(groups as ControlGroups),
      create: (id, given) => (groups as ControlGroups).create(id, { ...given, ...limits }),
    };
    expect(await reached({ groups: open })).toEqual([
      `exhaustion: ${name} ha${name === 'memory' ? 's' : 've'} no limit`,
    ]);
  });

  onlyAsRoot('would find the settings of the kernel: as root they are behind a read-only /proc alone', async () => {
    const mounts = mountsOf({
      ...{ app: GUEST_FOLDER, guest: GUEST_FOLDER, node: process.execPath, run: folder, packageFolder },
    });
    const closed = bubblewrapArguments({ mounts, tmpBytes: MEBIBYTE });
    const at = closed.findIndex((each, index) => each === '--remount-ro' && closed[index + 1] === '/proc');
    const open = closed.toSpliced(at, 2);
    // Opens the file, and writes nothing.
    const attack = `require('fs').closeSync(require('fs').openSync('/proc/sys/kernel/core_pattern', 'r+'))`;
    const errorOf = async (args: readonly string[], user?: { readonly uid: number; readonly gid: number }) => {
      const command = [...args, '--', INSIDE.node, '-e', attack];
      const { stderr } = await run('bwrap', command, { env: {}, cwd: '/', ...user }).catch(
        (error: { stderr: string }) => error,
      );
      return /E[A-Z]+(?=:)/.exec(stderr)?.[0];
    };
    expect(await errorOf(open)).toBeUndefined();
    expect(await errorOf(closed)).toBe('EROFS');
    expect(await errorOf(open, userOf('an app'))).toBe('EACCES');
  });
});
