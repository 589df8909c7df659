import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUBBLEWRAP, findPrograms, freePort } from '@homeport/dev-services';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { DeployClient } from './apps/deploy-client';
import { visit } from './apps/visit';
import { settings, signIn } from './homeport';
import { LoggedProcess } from './logged-process';
import { until } from './suites';

const run = promisify(execFile);
const bwrap = (await findPrograms(BUBBLEWRAP))?.get('bwrap');

/** A command that runs another one where only these folders are writable, as a container with a read-only root. */
function withWritable(...folders: readonly string[]): readonly string[] {
  const readOnly = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
  const writable = folders.includes('/tmp') ? [] : ['--remount-ro', '/tmp'];
  return [`${bwrap}/bwrap`, '--die-with-parent', '--unshare-pid', ...readOnly, ...writable, '--'];
}

const canIsolate =
  bwrap !== undefined &&
  (await run(withWritable()[0] as string, [...withWritable().slice(1), 'true']).then(
    () => true,
    () => false,
  ));

/** As docs/operations.md lists them for the images. */
const WRITABLE = { api: ['/tmp'], edge: [] };

(canIsolate ? describe : describe.skip)('API and edge on a read-only root', () => {
  let database: FreshDatabase;
  let api: LoggedProcess;
  let edge: LoggedProcess;
  let url: string;
  let edgePort: number;

  beforeAll(async () => {
    database = await freshDatabase();
    const [port, freeEdgePort] = [await freePort(), await freePort()];
    edgePort = freeEdgePort;
    url = `http://127.0.0.1:${port}`;
    const env = {
      ...settings,
      DATABASE_URL: database.url,
      // Those of the image: the folders of the test are not writable.
      TMPDIR: '',
      NODE_COMPILE_CACHE: '',
      LOG_LEVEL: 'info',
    };
    api = new LoggedProcess('api', { ...env, PORT: `${port}`, PUBLIC_URL: url }, withWritable(...WRITABLE.api));
    edge = new LoggedProcess('edge', { ...env, EDGE_PORT: `${edgePort}` }, withWritable(...WRITABLE.edge));
    await Promise.all([api, edge].map((each) => each.line(({ msg }) => msg === 'listening')));
  });
  afterAll(async () => {
    await Promise.all([api, edge].map((each) => each?.stop()));
    await database?.drop();
  });

  it('has no other writable folder', async () => {
    const tried = ['/tmp', '/var/tmp', '/etc', '/run', import.meta.dirname].map((folder) => `touch ${folder}/probe`);
    for (const [folders, writable] of [
      [WRITABLE.api, 1],
      [WRITABLE.edge, 0],
    ] as const) {
      const [program = '', ...args] = withWritable(...folders);
      const { stdout } = await run(program, [
        ...args,
        'sh',
        '-c',
        `${tried.map((each) => `${each} 2>&1`).join(';')};:`,
      ]);
      expect(stdout.trim().split('\n')).toHaveLength(tried.length - writable);
    }
  });

  it('stores uploads, and serves a deployed site', async () => {
    const ada = new DeployClient((await signIn('ada')).token, url);
    const app = await ada.register('Read-only');
    expect((await ada.deploy(app.id, { 'index.html': 'Served' })).status).toBe(201);
    await until(async () => (await visit(app.url, { port: edgePort })).body === 'Served');
    const failed = [...api.lines, ...edge.lines].filter(({ level, cause }) => level >= 50 || cause === 'EROFS');
    expect(failed).toEqual([]);
  });
});
