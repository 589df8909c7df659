import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { visit } from '@homeport/hosting/server/testing/visit';
import { Machine, settings, uniqueName } from './command-line';
import { CountingProxy } from './counting-proxy';

interface App {
  readonly id: string;
  readonly subdomain: string;
  readonly url: string;
  readonly type: string;
}

interface Line {
  readonly id: string;
  readonly stream: string;
  readonly line: string;
  readonly deploy_id: string;
}

interface Instance {
  readonly id: string;
  readonly state: string;
}

/** Logs the path of each request; writes paths below /bad to standard error. */
const SERVER = `
  const { createServer } = require('node:http');
  createServer((request, response) => {
    if (request.url.startsWith('/bad')) console.error('bad ' + request.url);
    else console.log('\\u001b[32mGET\\u001b[0m ' + request.url);
    response.end('<h1>' + process.env.GREETING + ' ' + process.env.TARGET + '</h1>');
  }).listen(process.env.PORT);`;

let machine: Machine;
let app: App;

beforeAll(async () => {
  machine = await Machine.inProcessOf('ada');
  app = await machine.json<App>(['apps', 'register', uniqueName('Server'), '--type', 'ssr']);
  await machine.write({
    'homeport.json': JSON.stringify({ app: app.subdomain, directory: 'server' }),
    'server/server.js': SERVER,
    'broken/server.js': "console.error('no database\\u001b[2J'); process.exit(3);",
  });
});

afterAll(async () => {
  await machine.run(['apps', 'delete', app.id, '--yes']);
  await machine.remove();
});

/** The page of the app at this path. */
async function page(path = '/'): Promise<string> {
  const port = Number(settings['EDGE_PORT']);
  const { status, body } = await visit(port, { host: `${new URL(app.url).hostname}:${port}`, target: path });
  return `${status} ${body}`;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 100));
}

const linesOf = async (...args: string[]): Promise<Line[]> => {
  const { code, stdout } = await machine.run(['logs', ...args, '--json']);
  expect(code).toBe(0);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Line);
};

describe('homeport env', () => {
  it('sets variables from arguments, standard input and a file, and never shows a value', async () => {
    await machine.write({ '.env': '# shared\nGREETING="Hello from the file"\nEXTRA=\n' });
    expect(await machine.run(['env', 'set', 'GREETING=Hello', 'TARGET=all'])).toMatchObject({
      code: 0,
      stdout: 'Set GREETING, TARGET.\n',
    });
    expect(await machine.run(['env', 'set', 'API_KEY'], 's3cret\n')).toMatchObject({ code: 0 });
    const fromFile = await machine.run(['env', 'set', '--file', '.env', '--scope', 'preview', '--app', app.id]);
    expect(fromFile).toMatchObject({ code: 0, stdout: 'Set EXTRA, GREETING.\n' });
    const listed = await machine.run(['env', 'list']);
    expect(listed.stdout).toMatch(/^API_KEY +all .*Ada Park$/m);
    expect(listed.stdout).toMatch(/^EXTRA +preview /m);
    expect(JSON.stringify(await machine.json(['env', 'list']))).not.toContain('s3cret');
  });

  it('removes variables', async () => {
    expect(await machine.run(['env', 'remove', 'EXTRA', 'API_KEY'])).toMatchObject({
      code: 0,
      stdout: 'Removed EXTRA, API_KEY.\n',
    });
    expect(await machine.json<object[]>(['env', 'list'])).toMatchObject([{ name: 'GREETING' }, { name: 'TARGET' }]);
  });

  it.each([
    [2, ['env', 'set']],
    [2, ['env', 'set', 'A', 'B']],
    [2, ['env', 'set', '--file', 'absent.env']],
    [6, ['env', 'set', 'PORT=80']],
    [4, ['env', 'list', '--app', 'no-such-app']],
  ])('exits with %i for %j', async (code, args) => {
    expect(await machine.run(args)).toMatchObject({ code, stdout: '' });
  });

  it('names the variable that was not set, and those before it', async () => {
    const { code, stderr } = await machine.run(['env', 'set', 'TARGET=everyone', 'lower=1', 'LATER=1']);
    expect([code, stderr]).toEqual([6, expect.stringMatching(/^lower was not set\. Already set: TARGET\.\nError: /)]);
  });
});

describe('homeport deploy of an SSR app', () => {
  it('shows that the server starts, and goes live', async () => {
    expect(await machine.run(['env', 'set', 'GREETING=Hello'])).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await machine.run(['deploy', '--wait']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`is live: ${app.url}`)]);
    expect(stderr).toContain('Status: starting.');
    expect(await page()).toBe('200 <h1>Hello everyone</h1>');
  });

  it('prints the log of a server that does not start', async () => {
    const { code, stderr } = await machine.run(['deploy', 'broken']);
    expect([code, stderr]).toEqual([6, expect.stringMatching(/^ {2}no database$/m)]);
    const [failed] = await machine.json<{ id: string }[]>(['deploys', 'list', '--limit', '1']);
    const shown = await machine.run(['deploys', 'show', failed?.id ?? '']);
    expect(shown.stdout).toMatch(/^Deploy #2: failed(.|\n)*^ {2}no database$/m);
    expect((await linesOf('--deploy', failed?.id ?? '')).map(({ line }) => line)).toContain('no database\u001b[2J');
    expect(await page()).toBe('200 <h1>Hello everyone</h1>');
  });
});

describe('homeport runtime', () => {
  // An instance without requests is soon frozen, and the app idle.
  it('shows the instances, and restarts them', async () => {
    const serving = async () => {
      await page();
      const { instances } = await machine.json<{ instances: Instance[] }>(['runtime', 'show']);
      return instances.filter(({ state }) => ['ready', 'frozen'].includes(state)).map(({ id }) => id);
    };
    await until(async () => (await serving()).length > 0);
    const before = await serving();
    const show = async () => (await machine.run(['runtime', 'show', '--app', app.id])).stdout;
    await until(async () => !/^State: +starting$/m.test(await show()));
    const stdout = await show();
    expect(stdout).toMatch(/^State: +(ready|idle)\nLimits: +\d+ instances with \S+ MiB each\n/);
    expect(stdout).toContain(before[0]);
    const shown = await machine.run(['apps', 'show', app.subdomain]);
    expect(shown.stdout).toMatch(/^Type: +ssr\nRuntime: +(ready|idle)$/m);
    expect(await machine.run(['runtime', 'restart'])).toMatchObject({ code: 0, stdout: 'The servers restart.\n' });
    await until(async () => (await serving()).some((id) => !before.includes(id)));
  });
});

describe('homeport logs', () => {
  it('prints lines by stream, time and number', async () => {
    for (const path of ['/one', '/bad', '/two']) expect(await page(path)).toMatch(/^200/);
    const printed = async () => (await machine.run(['logs'])).stdout;
    // The lines of two streams arrive in any order.
    for (const line of [/^\S+Z stdout GET \/one$/m, /^\S+Z stderr bad \/bad$/m, /^\S+Z stdout GET \/two$/m])
      await until(async () => line.test(await printed()));
    expect(new Set((await linesOf('--stream', 'stderr')).map(({ stream }) => stream))).toEqual(new Set(['stderr']));
    // An instance may end between two commands, which adds a line.
    const all = await linesOf('--limit', '1000');
    expect((await linesOf('--since', '1h')).slice(0, all.length)).toEqual(all);
    expect(await linesOf('--since', '1h', '--limit', '2')).toEqual(all.slice(0, 2));
    const last = await linesOf(app.id, '--limit', '2');
    expect((await linesOf(app.subdomain)).slice(-10)).toEqual(expect.arrayContaining(last));
    expect(last).toHaveLength(2);
    expect(await machine.run(['logs', '--since', '2100-01-01T00:00:00Z'])).toMatchObject({ code: 0, stdout: '' });
    for (const wrong of [
      ['--since', 'yesterday'],
      ['--limit', '0'],
      ['--stream', 'other'],
    ])
      expect(await machine.run(['logs', ...wrong])).toMatchObject({ code: 2 });
  });

  it('follows the log through lost connections, and ends with 0 on Ctrl+C', async () => {
    const proxy = await CountingProxy.start(settings['PUBLIC_URL'] as string);
    const streams = () => proxy.exchanges.filter(({ path, status }) => path.endsWith('/logs') && status === 200).length;
    const following = machine.start(['logs', '-f', '--stream', 'stdout', '--json', '--url', proxy.url]);
    try {
      // The first request returns the lines so far.
      await until(async () => streams() >= 2);
      await page('/before');
      await following.output(/\/before/);
      proxy.cutConnections();
      await following.message(/Reconnecting/);
      await page('/during');
      await following.output(/\/during/);
      await page('/after');
      await following.output(/\/after/);
      following.child.kill('SIGINT');
      const { code, stdout } = await following.finished;
      expect(code).toBe(0);
      const lines = stdout.trim().split('\n');
      const ids = lines.map((text) => (JSON.parse(text) as Line).id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(ids.toSorted((one, other) => Number(one) - Number(other)));
    } finally {
      following.child.kill('SIGKILL');
      await following.finished;
      await proxy.close();
    }
  });

  it('needs only the scope for logs when the app is named by its id', async () => {
    const create = ['tokens', 'create', 'reader', '--scope', 'logs:read', '--app', app.subdomain];
    const { id, token } = await machine.json<{ id: string; token: string }>(create);
    const reader = { HOMEPORT_TOKEN: token };
    expect(await machine.run(['logs', app.id], '', reader)).toMatchObject({ code: 0 });
    expect(await machine.run(['env', 'list', '--app', app.id], '', reader)).toMatchObject({ code: 4 });
    expect(await machine.run(['tokens', 'revoke', id])).toMatchObject({ code: 0 });
    // An instance may accept a revoked token for half a second.
    await until(async () => (await machine.run(['logs', app.id], '', reader)).code === 3);
  });

  it('ends quietly when the reader of a pipe ends first', async () => {
    const { PATH = '', HOME = '', HOMEPORT_URL = '', HOMEPORT_TOKEN = '' } = machine.variables;
    const shell = { PATH, HOME, HOMEPORT_URL, HOMEPORT_TOKEN, NODE: process.execPath, CLI: Machine.program };
    let isFinished = false;
    const finished = machine.bash('"$NODE" "$CLI" logs -f | head -n 1', shell).finally(() => (isFinished = true));
    // The command notices at its next line that the pipe is closed.
    while (!isFinished) await page('/more');
    const { code, stdout, stderr } = await finished;
    expect([code, stdout.split('\n').length, stderr]).toEqual([0, 2, '']);
  });
});

describe('completion', () => {
  it('knows the commands and their values', async () => {
    const complete = async (...words: string[]) =>
      (await machine.start(['--get-yargs-completions', 'homeport', ...words]).finished).stdout;
    const [env, runtime, logs] = await Promise.all([
      complete('env', ''),
      complete('runtime', ''),
      complete('logs', '--'),
    ]);
    expect(env).toMatch(/^set:?/m);
    expect(runtime).toMatch(/^restart:?/m);
    expect(logs).toMatch(/^--follow:?/m);
  });
});
