import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { accessTokenOf, tryLock } from '@homeport/dev-services';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, settings, url } from './homeport';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Ends the output of each block. curl and the server never print it. */
const END_OF_BLOCK = '\f';
/** curl prints the status of each call to standard error, and ends its body with a line break. */
const CURL_SETTINGS = 'silent\nshow-error\nwrite-out = "\\n%{stderr}%{http_code}\\n"\n';

interface Block {
  readonly language: string;
  readonly text: string;
  /** The statuses that the page promises, in comments such as `# 201`. */
  readonly statuses: readonly string[];
  /** The first one of its section. */
  readonly heading: string;
}

/** Reads the code blocks of docs/api.md, with the addresses of the product under test. */
async function documentedBlocks(): Promise<Block[]> {
  const page = (await readFile(join(ROOT, 'docs/api.md'), 'utf8'))
    .replaceAll('http://localhost:3000', url)
    .replaceAll('apps.localhost:8080', `apps.localhost:${settings['EDGE_PORT']}`);
  return page.split(/^## /m).flatMap((section) => {
    const [heading = ''] = section.split('\n');
    return [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => {
      const statuses = [...text.matchAll(/ # (\d{3})$/gm)].map(([, status = '']) => status);
      return { heading, language, text, statuses };
    });
  });
}

let folder: string;
let blocks: Block[];
let shell: ChildProcess;
let [stdout, stderr] = ['', ''];
/** Emits `change` for every output of the shell, and for its end. */
const progress = new EventEmitter();

beforeAll(async () => {
  blocks = await documentedBlocks();
  folder = await mkdtemp(join(settings['TMPDIR'] ?? tmpdir(), 'homeport-api-docs-'));
  for (const name of ['data', 'home', 'tmp']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'home/.curlrc'), CURL_SETTINGS);
  // As `npm start` does, for `npm run token`.
  tryLock(join(folder, 'data/run.json'), { url, startedAt: new Date().toISOString() });
  const script = blocks
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => `${text}printf '${END_OF_BLOCK}'\nprintf '${END_OF_BLOCK}' >&2\n`);
  shell = spawn('bash', ['-eo', 'pipefail', '-c', script.join('')], {
    cwd: ROOT,
    // Ctrl+C reaches the whole group of a terminal.
    detached: true,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      DATA_DIR: join(folder, 'data'),
      npm_config_update_notifier: 'false',
    },
  });
  shell.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    progress.emit('change');
  });
  shell.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    progress.emit('change');
  });
  shell.once('close', () => progress.emit('change'));
});

afterAll(async () => {
  if (shell.exitCode === null && shell.signalCode === null) {
    process.kill(-(shell.pid as number), 'SIGKILL');
    await once(shell, 'close');
  }
  await removeCreated();
  await rm(folder, { recursive: true, force: true });
});

/** Removes what the blocks created, also when one of them failed. */
async function removeCreated(): Promise<void> {
  const token = await accessTokenOf(url, 'ada');
  const { items } = (await (await call('/api/apps', { token })).json()) as { items: { id: string; name: string }[] };
  for (const { id, name } of items) {
    if (['Hello API', 'Hello server'].includes(name)) await call(`/api/apps/${id}`, { token, method: 'DELETE' });
  }
  for (const name of ['notes.md', 'new.md']) await call(`/api/files/${name}`, { token, method: 'DELETE' });
}

/** Waits for a state of the output. @throws {Error} when the shell ends before. */
async function reached(condition: () => boolean): Promise<void> {
  while (!condition()) {
    if (shell.exitCode !== null) throw new Error(`The shell exited with ${shell.exitCode}:\n${stdout}\n${stderr}`);
    await once(progress, 'change');
  }
}

/** Waits until a block has ended. @returns its lines, and the statuses of its calls. */
async function outcomeOf(index: number): Promise<{ lines: string[]; statuses: string[] }> {
  const outputs = () => [stdout, stderr].map((text) => text.split(END_OF_BLOCK));
  await reached(() => outputs().every((parts) => parts.length >= index + 2));
  const [output = [], messages = []] = outputs();
  const lines = (output[index] ?? '').split('\n').filter(Boolean);
  return { lines, statuses: (messages[index] ?? '').split('\n').filter(Boolean) };
}

describe('docs/api.md', () => {
  const shellBlocks = () => blocks.filter(({ language }) => language === 'sh');

  /** Checks the statuses of the first block of a section. @returns what it printed. */
  async function linesOf(heading: string, position = 0): Promise<string[]> {
    const block = shellBlocks().filter((each) => each.heading === heading)[position] as Block;
    const { lines, statuses } = await outcomeOf(shellBlocks().indexOf(block));
    expect([heading, statuses]).toEqual([heading, block.statuses]);
    return lines;
  }
  const json = (line: string | undefined) => JSON.parse(line ?? '') as unknown;

  it('promises a status for every call that ends', () => {
    const calls = shellBlocks().filter(({ text }) => !text.includes('curl -N'));
    expect(calls.length).toBeGreaterThanOrEqual(6);
    for (const { text, statuses } of calls) expect(text.match(/\bcurl /g)).toHaveLength(statuses.length);
  });

  it('shows the prices, the apps and a file', async () => {
    expect(json((await linesOf('First answer'))[0])).toHaveProperty('usage.meters');
    const [apps, stored, ...file] = await linesOf('First answer', 1);
    expect(json(apps)).toEqual({ items: expect.any(Array), next_cursor: null });
    expect(json(stored)).toMatchObject({ key: 'notes.md', content_type: expect.stringContaining('text/markdown') });
    const readme = (await readFile(join(ROOT, 'README.md'), 'utf8')).split('\n').filter(Boolean);
    expect(file).toEqual(readme);
  });

  it('publishes a site, and deletes it', async () => {
    const [deploy, page, deletion] = await linesOf('First site');
    expect(json(deploy)).toMatchObject({ status: 'ready', activation: { activated: true } });
    expect(page).toBe('<h1>Hello</h1>');
    expect(json(deletion)).toMatchObject({ deleted: true });
  });

  it('describes errors as the server does', async () => {
    const [problem] = await linesOf('Errors');
    const example = blocks.find(({ heading, language }) => heading === 'Errors' && language === 'json') as Block;
    expect(json(problem)).toEqual({
      ...(json(example.text) as object),
      request_id: expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  it('writes a new file once', async () => {
    const [stored, problem] = await linesOf('Conditional requests');
    expect([json(stored), json(problem)]).toMatchObject([{ key: 'new.md' }, { code: 'files.precondition-failed' }]);
  });

  it('runs a server, and follows its log', async () => {
    const lines = await linesOf('Servers of apps');
    const [variable, deploy, page, runtime, ...rest] = lines;
    expect(json(variable)).toMatchObject({ name: 'GREETING', scope: 'production' });
    expect(json(deploy)).toMatchObject({ status: 'ready', framework: 'node' });
    expect(page).toBe('Hello');
    expect(json(runtime)).toMatchObject({ state: expect.any(String), instances: expect.any(Array) });
    expect(json(rest.at(-1))).toMatchObject({ items: expect.any(Array) });
    const followed = shellBlocks().length - 1;
    await reached(() => /^data: \{/m.test(stdout.split(END_OF_BLOCK)[followed] ?? ''));
    process.kill(-(shell.pid as number), 'SIGINT');
    await once(shell, 'close');
  });
});
