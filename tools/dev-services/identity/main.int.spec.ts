import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { completeSignIn, visit } from './testing/sign-in-driver.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

interface Ready {
  readonly type: string;
  readonly message?: string;
  readonly port: number;
  readonly issuer: string;
  readonly clientSecret: string;
  readonly people: readonly unknown[];
  readonly providers: readonly unknown[];
}

let dataDir: string;
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'identity-main-'));
  children = [];
});

afterEach(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  await rm(dataDir, { recursive: true });
});

async function start(environment: Record<string, string> = {}): Promise<{ child: ChildProcess; message: Ready }> {
  const child = fork(MAIN, [], {
    execArgv: [],
    env: { DATA_DIR: dataDir, IDENTITY_PORT: '0', PUBLIC_URL: 'http://localhost:9', ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  const [message] = (await once(child, 'message')) as [Ready];
  return { child, message };
}

function authorizationUrl(issuer: string, prompt: string): string {
  const query = new URLSearchParams({
    client_id: 'homeport-web',
    redirect_uri: 'http://localhost:9/auth/callback',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    prompt,
  });
  return `${issuer}/auth?${query}`;
}

describe('the identity process', () => {
  it('reports its settings and stores its secret readable by the owner only', async () => {
    const { message } = await start({ AUTH_AUDIENCE: 'https://api.other.example' });
    expect(message).toMatchObject({
      type: 'ready',
      issuer: `http://localhost:${message.port}`,
      audience: 'https://api.other.example',
      clientId: 'homeport-web',
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      providers: [
        { id: 'northwind', label: 'Northwind Workforce', params: { identity_provider: 'northwind' } },
        { id: 'globex', label: 'Globex ID', params: { identity_provider: 'globex' } },
      ],
    });
    expect(message.people).toContainEqual(
      expect.objectContaining({ sub: 'northwind|ada', email: 'ada@northwind.example', organization: 'org_northwind' }),
    );
    const folder = join(dataDir, 'identity');
    for (const file of await readdir(folder)) expect((await stat(join(folder, file))).mode & 0o077).toBe(0);
  });

  it('keeps people signed in when it is killed', async () => {
    const first = await start();
    const { issuer, port, clientSecret } = first.message;
    const stopBefore = 'http://localhost:9/';
    const { jar } = await completeSignIn(authorizationUrl(issuer, 'login'), { person: 'gina' }, { stopBefore });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await start({ IDENTITY_PORT: String(port) });
    expect(second.message.clientSecret).toBe(clientSecret);
    const answer = await visit(authorizationUrl(issuer, 'none'), jar);
    expect(answer.headers.get('location')).toMatch(/^http:\/\/localhost:9\/auth\/callback\?code=/);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)('ends on %s', async (how) => {
    const { child, message } = await start();
    await fetch(`${message.issuer}/jwks`);
    if (how === 'disconnect') child.disconnect();
    else child.kill(how);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('reports that its port is in use', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const { child, message } = await start({ IDENTITY_PORT: String(port) });
    expect(message).toEqual({ type: 'failed', message: `port ${port} is in use; set IDENTITY_PORT` });
    expect(await once(child, 'exit')).toEqual([1, null]);
    squatter.close();
    await once(squatter, 'close');
  });

  it.each([
    [{ NODE_ENV: 'production' }, 'The embedded identity is for development and tests; it refuses NODE_ENV=production.'],
    [{ IDENTITY_PORT: '44oo' }, 'IDENTITY_PORT is not a port: 44oo'],
    [{ PUBLIC_URL: 'nowhere' }, 'PUBLIC_URL is not an address: nowhere'],
  ])('refuses %j', async (environment: Record<string, string>, message) => {
    const { child, message: answer } = await start(environment);
    expect(answer).toEqual({ type: 'failed', message });
    expect(await once(child, 'exit')).toEqual([1, null]);
  });
});
