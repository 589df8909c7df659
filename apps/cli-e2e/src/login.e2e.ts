import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accessTokenOf, completeSignIn, freePort } from '@homeport/dev-services';
import { Machine, settings, url } from './command-line';

let machine: Machine;

beforeEach(async () => {
  machine = await Machine.create();
});

afterEach(() => machine.remove());

const credentials = () => machine.path('home/.config/homeport/credentials.json');

describe('homeport login', () => {
  it('signs in with the browser, keeps the credentials private, and signs out', async () => {
    const login = machine.start(['login', '--no-browser']);
    const address = /http\S+/.exec(await login.message(/Sign in at:\n\S+\n/))?.[0] ?? '';
    // Any page in the browser can send such a request.
    const callback = new URL(address).searchParams.get('redirect_uri') ?? '';
    expect((await fetch(`${callback}?error=access_denied&state=other`)).status).toBe(404);
    const page = await completeSignIn(address, { person: 'ada' });
    expect(page.body).toContain('Signed in. Close this page');
    expect(await login.finished).toMatchObject({ code: 0, stdout: `Signed in to ${url} as Ada Park.\n` });

    expect((await stat(credentials())).mode & 0o777).toBe(0o600);
    const who = await machine.json<object>(['whoami']);
    expect(who).toEqual({ url, name: 'Ada Park', email: expect.stringContaining('@'), source: credentials() });
    await expect(machine.json(['apps', 'list'])).resolves.toEqual(expect.any(Array));

    expect(await machine.run(['logout'])).toMatchObject({ code: 0, stdout: `Signed out of ${url}.\n` });
    expect(await machine.run(['whoami'])).toMatchObject({ code: 3, stderr: expect.stringContaining('homeport login') });
  });

  it('renews expired tokens once, also for requests and commands at the same time', async () => {
    const login = machine.start(['login', '--no-browser']);
    const address = /http\S+/.exec(await login.message(/Sign in at:\n\S+\n/))?.[0] ?? '';
    await completeSignIn(address, { person: 'ada' });
    await login.finished;
    await machine.write(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`many/${index}.txt`, 'text'])));
    for (const round of ['first', 'second']) {
      const file = JSON.parse(await readFile(credentials(), 'utf8')) as { servers: Record<string, object> };
      const expired = { ...file.servers[url], expires_at: 0 };
      await writeFile(credentials(), JSON.stringify({ ...file, servers: { [url]: expired } }));
      const sync = ['files', 'sync', 'many', `workspace:renewed-${process.pid}-${round}`];
      const ended = await Promise.all([sync, ['apps', 'list'], ['whoami']].map((args) => machine.run(args)));
      expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ''],
        [0, ''],
        [0, ''],
      ]);
    }
  });

  it('reports a cancelled sign-in', async () => {
    const login = machine.start(['login', '--no-browser']);
    const address = /http\S+/.exec(await login.message(/Sign in at:\n\S+\n/))?.[0] ?? '';
    await completeSignIn(address, { person: 'ada' }, { cancelAt: 'chooser' });
    expect(await login.finished).toMatchObject({ code: 3, stderr: expect.stringContaining('rejected the sign-in') });
  });

  it('signs in a device with a browser elsewhere', async () => {
    const login = machine.start(['login', '--device']);
    const address = /http\S+/.exec(await login.message(/Open:\n\S+\nThe code is .+\n/))?.[0] ?? '';
    const page = await completeSignIn(address, { person: 'ada' });
    expect([page.pages.at(-1), page.body]).toEqual([
      'device-done',
      expect.stringContaining('Your device is signed in'),
    ]);
    expect(await login.finished).toMatchObject({ code: 0, stdout: `Signed in to ${url} as Ada Park.\n` });
    await expect(machine.json(['apps', 'list'])).resolves.toEqual(expect.any(Array));
    expect(await machine.run(['logout'])).toMatchObject({ code: 0 });
  });

  it('reports a cancelled sign-in of a device', async () => {
    const login = machine.start(['login', '--device']);
    const address = /http\S+/.exec(await login.message(/Open:\n\S+\nThe code is .+\n/))?.[0] ?? '';
    const page = await completeSignIn(address, { person: 'ada' }, { cancelAt: 'device-confirm' });
    expect(page.body).toContain('The sign-in was cancelled');
    expect(await login.finished).toMatchObject({ code: 3, stderr: expect.stringContaining('login --device') });
  });

  it('says when the identity service has no device sign-in', async () => {
    // An identity provider behind the embedded identity service.
    const issuer = `${settings['AUTH_ISSUER']}/upstream/northwind`;
    const server = createServer((_request, response) => {
      const metadata = { authorization_servers: [issuer], homeport_cli_client_id: 'homeport-cli' };
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r1' });
      response.end(JSON.stringify(metadata));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await machine.run(['login', '--device', '--url', address]);
    server.close();
    server.closeAllConnections();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/has no device sign-in\.\n.*homeport login --token/)]);
  });

  it('stores a token from standard input', async () => {
    const token = await accessTokenOf(url, 'ben');
    expect(await machine.run(['login', '--token'], `${token}\n`)).toMatchObject({ code: 0 });
    expect(await machine.run(['whoami'])).toMatchObject({ code: 0, stdout: expect.stringContaining(url) });
  });

  it('rejects a wrong token and stores nothing', async () => {
    const failed = await machine.run(['login', '--token'], 'hp_wrong\n');
    expect(failed).toMatchObject({ code: 3, stderr: expect.stringMatching(/Request \S+ \(identity\./) });
    await expect(stat(credentials())).rejects.toThrow('ENOENT');
  });
});

describe('a command without credentials', () => {
  it('names the next step, also as JSON', async () => {
    expect(await machine.run(['apps', 'list'])).toMatchObject({ code: 3, stdout: '' });
    const { stderr } = await machine.run(['apps', 'list', '--json']);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'cli.unauthenticated', message: `Not signed in to ${url}.`, next_step: expect.any(String) },
    });
  });

  it('prints prices', async () => {
    expect(await machine.run(['pricing'])).toMatchObject({ code: 0, stdout: expect.stringContaining('storage') });
    const estimate = await machine.json<{ totalUsd: number }>(['estimate', 'storage=20']);
    expect(estimate.totalUsd).toEqual(expect.any(Number));
  });

  it.each([
    [['deploi']],
    [['apps', 'show']],
    [['deploy', '--preview', '--force']],
    [['estimate', 'storage']],
    [['apps', 'list', '--url', 'http://homeport.example.com']],
  ])('reports wrong usage with exit code 2: %j', async (args) => {
    expect(await machine.run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Error:') });
  });

  it('reports a server that does not answer with exit code 7', async () => {
    const { code, stderr } = await machine.run(['pricing', '--url', `http://127.0.0.1:${await freePort()}`]);
    expect([code, stderr]).toEqual([7, expect.stringContaining('ECONNREFUSED')]);
  });
});

describe('homeport completion', () => {
  it('prints a script that completes commands', async () => {
    expect((await machine.run(['completion'])).stdout).toContain('complete -o bashdefault');
    const { stdout } = await machine.run(['--get-yargs-completions', 'homeport', 'files', 's']);
    expect(stdout).toContain('sync');
  });

  it('prints the script of the shell', async () => {
    const scriptFor = async (shell: string) => (await machine.run(['completion'], '', { SHELL: shell })).stdout;
    expect(await scriptFor('/usr/bin/fish')).toContain('complete -c homeport');
    expect(await scriptFor('/bin/zsh')).toContain('compdef');
  });
});
