import { execFile } from 'node:child_process';
import { access, chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bubblewrapHere, editedBubblewrap } from '@homeport/hosting/server/testing';

const run = promisify(execFile);
const MAIN = resolve(import.meta.dirname, '../../../dist/api/apps/runtime/src/main.js');
/** Where a shell without PATH looks for `bwrap` first. */
const PROGRAMS = '/usr/local/bin';

/** A class of walls, the change of bubblewrap's options that opens it, and what the log then names. */
const CLASSES = [
  ['files', String.raw`s|--remount-ro\0/\0||`, 'files: a folder can be written'],
  ['network', String.raw`s|--unshare-all\0|--unshare-all\0--share-net\0|`, 'network: a service on the loopback'],
  ['processes', String.raw`s|--proc\0/proc\0--remount-ro\0/proc\0|--ro-bind\0/proc\0/proc\0|`, 'processes: others'],
  ['environment', String.raw`s|--proc\0|--setenv\0DATABASE_URL\0secret\0--proc\0|`, 'environment: unknown names'],
  ['kernel', String.raw`s|--seccomp\0\d+\0||`, 'kernel: system calls are not filtered'],
  ['host', String.raw`s|--proc\0|--ro-bind\0/sys\0/sys\0--proc\0|`, 'host: control groups are visible'],
  ['exhaustion', String.raw`s|--size\0\d+\0||`, 'exhaustion: the temporary folder has no limit'],
] as const;

const canMount = await run('unshare', ['--mount', 'mount', '--bind', tmpdir(), PROGRAMS]).then(
  () => bubblewrapHere(),
  (error: Error) => void process.stderr.write(`The tests of missing walls are skipped: ${error.message}\n`),
);

(canMount ? describe : describe.skip)('the runtime', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-walls-'));
    await chmod(folder, 0o711);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Starts the built program with another `bwrap`, in mounts that only this process sees. */
  const start = async (program: string) => {
    const script = `mount --bind "$1" ${PROGRAMS} && shift && exec "$@"`;
    const args = ['--mount', 'sh', '-c', script, 'sh', dirname(program), process.execPath, MAIN];
    const env = {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_BUCKET: 'none',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
      RUNTIME_DIR: join(folder, 'runtime'),
      RUNTIME_SANDBOX: 'bubblewrap',
      RUNTIME_TENANCY: 'trusted',
    };
    return run('unshare', args, { env: { ...env, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } }).then(
      () => ({ code: 0, stdout: '' }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    );
  };

  it.each(CLASSES)('does not become ready when the wall “%s” is open', async (_, edit, wall) => {
    const { code, stdout } = await start(await editedBubblewrap(folder, edit));
    expect([code, stdout]).toEqual([1, expect.stringContaining('the sandbox does not isolate apps')]);
    const [line = ''] = stdout.split('\n').filter((each) => each.includes('"walls"'));
    expect((JSON.parse(line) as { walls: string[] }).walls).toContainEqual(expect.stringContaining(wall));
    await expect(access(join(folder, 'runtime/runtime.sock'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(join(folder, 'runtime/run'))).toEqual([]);
  });
});
