import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Machine, PACKAGES, url } from './command-line';

let machine: Machine;
const folder = `hostile-${process.pid}`;

beforeAll(async () => {
  machine = await Machine.of('ben');
});

afterAll(() => machine.remove());

const up = (name: string) => ['files', 'sync', name, `workspace:${folder}/${name}`];
const down = (name: string) => ['files', 'sync', `workspace:${folder}/${name}`, name];

async function store(path: string): Promise<void> {
  await machine.write({ 'source.txt': path });
  expect(await machine.run(['files', 'put', 'source.txt', `${folder}/${path}`])).toMatchObject({ code: 0 });
}

describe('homeport files sync', () => {
  it('names files that cannot be stored, and synchronizes the others', async () => {
    await machine.write({
      'names/good.txt': 'good',
      'names/new\nline': 'x',
      'names/back\\slash': 'x',
      'names/\u001b[2J': 'x',
    });
    await writeFile(Buffer.concat([Buffer.from(machine.path('work/names/')), Buffer.from([0xff])]), 'x');
    await machine.write({ 'names/\u00e9.txt': 'one', 'names/e\u0301.txt': 'two' });
    const { code, stdout, stderr } = await machine.run(up('names'));
    expect([code, stderr]).toEqual([6, expect.stringContaining('5 of the files cannot be synchronized.')]);
    expect(stdout).toContain('create   good.txt\n');
    expect(stdout).toContain('failed   \ufffd: its name is not UTF-8\n');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('2 created, 0 replaced, 0 deleted, 0 same, 0 in conflict, 5 failed\n');
  });

  it('does not write or delete through a link', async () => {
    await mkdir(machine.path('work/links'));
    await mkdir(machine.path('work/outside'));
    await symlink('../outside', machine.path('work/links/docs'));
    await store('links/docs/a.txt');
    for (const command of [down('links'), [...up('links'), '--delete']]) {
      const { code, stdout } = await machine.run(command);
      expect([code, stdout]).toEqual([5, expect.stringContaining('conflict docs/a.txt: a link or a device')]);
    }
    expect(await readdir(machine.path('work/outside'))).toEqual([]);
  });

  it('names a file in place of a folder as a conflict, and synchronizes the others', async () => {
    await machine.write({ 'clash/a': 'file' });
    await store('clash/a/b');
    await store('clash/other.txt');
    const { code, stdout } = await machine.run(down('clash'));
    expect([code, stdout]).toEqual([5, expect.stringContaining('conflict a/b: a file and a folder have this name\n')]);
    expect(await readFile(machine.path('work/clash/other.txt'), 'utf8')).toBe('clash/other.txt');
    expect(await readFile(machine.path('work/clash/a'), 'utf8')).toBe('file');
  });

  it('downloads names of 255 bytes', async () => {
    const name = `long/${'漢'.repeat(83)}.txt`;
    await store(name);
    expect(await machine.run(down('long'))).toMatchObject({ code: 0 });
    expect(await readFile(machine.path('work', name), 'utf8')).toBe(name);
  });

  it('does not keep an unfinished download that another command has changed', async () => {
    await store('part/a.txt');
    expect(await machine.run(down('part'))).toMatchObject({ code: 0 });
    const server = createServer((request, response) => {
      // Ends each download early.
      void fetch(url + request.url, { headers: { authorization: request.headers.authorization ?? '' } }).then(
        async (answer) => {
          const body = Buffer.from(await answer.arrayBuffer());
          response.writeHead(answer.status, Object.fromEntries(answer.headers)).write(body.subarray(0, 4));
          if (request.url?.includes('/a.txt')) response.socket?.destroySoon();
          else response.end(body.subarray(4));
        },
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cut = await machine.run(['files', 'sync', `workspace:${folder}/part`, 'cut', '--url', address]);
    server.close();
    server.closeAllConnections();
    expect(cut).toMatchObject({ code: 7, stderr: expect.stringContaining(`No response from ${address}`) });
    const [part = ''] = await readdir(machine.path('work/cut'));
    await writeFile(machine.path('work/cut', part), 'XXXX');
    const sync = ['files', 'sync', `workspace:${folder}/part`, 'cut'];
    expect(await machine.run(sync)).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('are not those of the server'),
    });
    expect(await machine.run(sync)).toMatchObject({ code: 0 });
    expect(await readFile(machine.path('work/cut/a.txt'), 'utf8')).toBe('part/a.txt');
  });
});

describe('homeport files mv', () => {
  it('keeps the media type', async () => {
    await machine.write({ 'a.txt': 'text' });
    await machine.run(['files', 'put', 'a.txt', `${folder}/typed.bin`, '--content-type', 'text/markdown']);
    const moved = await machine.json<{ content_type: string }>([
      'files',
      'mv',
      `${folder}/typed.bin`,
      `${folder}/moved.bin`,
    ]);
    expect(moved.content_type).toBe('text/markdown');
  });
});

describe('a wrong argument', () => {
  it.each([
    [['deploy', '.', '--app', 'a', '--app', 'b'], '--app is repeated'],
    [['apps', 'list', '--url', `${url}/some/path`], `Use ${url}.`],
    [['apps', 'list', '--url', 'https://ada:secret@homeport.example.com'], 'Use https://homeport.example.com.'],
    [['tokens', 'create', 'x', '--scope', 'apps:read', '--expires-in-days', '1e12'], '--expires-in-days must be'],
  ])('of %j is named', async (args, message) => {
    expect(await machine.run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('the output', () => {
  const shell = (script: string) =>
    machine.bash(script, { ...machine.variables, MAIN: join(PACKAGES, 'cli/main.js'), NODE: process.execPath });

  it('may be closed early by its reader', async () => {
    expect(await shell('"$NODE" "$MAIN" pricing | true')).toMatchObject({ code: 0, stderr: '' });
  });

  it('that cannot be written is an error without a stack trace', async () => {
    const { code, stderr } = await shell('"$NODE" "$MAIN" pricing > /dev/full');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Error: The result could not be written: ENOSPC[^\n]*\n$/),
    ]);
  });
});

describe('Ctrl+C', () => {
  it('ends a command that waits for the server', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { child, finished } = machine.start(['apps', 'list', '--url', address]);
    await once(server, 'request');
    child.kill('SIGINT');
    expect(await finished).toMatchObject({ code: 130, stderr: 'Error: Interrupted.\n' });
    server.close();
    server.closeAllConnections();
  });

  it('at a question changes nothing', async () => {
    await store('question.txt');
    const command = `"${process.execPath}" "${join(PACKAGES, 'cli/main.js')}" files rm ${folder}/question.txt`;
    // `script` gives the command a terminal.
    const child = spawn('script', ['-qec', command, '/dev/null'], { env: machine.variables });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (chunk.includes('[y/N]')) child.stdin.write('\u0003');
    });
    const [code] = (await once(child, 'close')) as [number];
    expect([code, text]).toEqual([130, expect.stringContaining('Error: Nothing was changed.')]);
    expect(await machine.run(['files', 'cat', `${folder}/question.txt`])).toMatchObject({ code: 0 });
  });
});
