import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { completeSignIn, freePort } from '@homeport/dev-services';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { DeployClient } from './apps/deploy-client';
import { callAt, settings, url as publicUrl } from './homeport';
import { type ApiProcess, spawnApi } from './product-processes';
import { until } from './suites';

const MAIN = resolve(import.meta.dirname, '../../../dist/api/apps/api/src/main.js');
const PEOPLE = ['ada', 'ben', 'carla'];
/** Requests of each person to each instance between two restarts. */
const ENOUGH = 5;

interface Keys {
  readonly SESSION_KEYS: string;
  readonly SECRETS_KEYS: string;
}

const sessionKey = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const keysOf = (...fills: readonly number[]): Keys => ({
  SESSION_KEYS: fills.map(sessionKey).join(','),
  SECRETS_KEYS: fills.map((fill) => `${fill}:${sessionKey(fill)}`).join(','),
});
const [OLD, NEW] = [1, 2];

/** A browser that keeps its session cookie, and calls all running instances in turn. */
class Browser {
  calls = 0;
  readonly failures: string[] = [];
  token = '';
  #cookie = '';

  async signIn(base: string, person: string): Promise<void> {
    const start = `${base}/auth/sign-in?provider=northwind&return_to=/`;
    // The identity service sends people to the product; this instance stands for it.
    const stopBefore = `${publicUrl}/auth/callback`;
    const { finalUrl, jar } = await completeSignIn(start, { person }, { stopBefore });
    const { pathname, search } = new URL(finalUrl);
    const headers = { cookie: jar.header(base) ?? '' };
    this.#keepCookie(await fetch(base + pathname + search, { redirect: 'manual', headers }));
  }

  /** Gets an access token as a page does. @param isRefused makes the instance renew the tokens. */
  async session(base: string, isRefused = false): Promise<void> {
    const refused = createHash('sha256').update(this.token).digest('base64url');
    const headers = {
      cookie: this.#cookie,
      'sec-fetch-site': 'same-origin',
      ...(isRefused && { 'x-refused-token': refused }),
    };
    const response = await fetch(`${base}/auth/session`, { headers });
    this.#keepCookie(response);
    const body = (await response.json()) as { access_token?: string };
    if (response.status === 200) this.token = body.access_token as string;
    else this.failures.push(`${response.status} ${JSON.stringify(body)}`);
    this.calls += 1;
  }

  fail(error: unknown): void {
    this.failures.push(String(error));
    this.calls += 1;
  }

  #keepCookie({ headers }: Response): void {
    const set = headers.getSetCookie().find((each) => each.startsWith('homeport_session='));
    if (set !== undefined) this.#cookie = set.split(';', 1)[0] as string;
  }
}

describe('the rotation of SESSION_KEYS and SECRETS_KEYS on two instances', () => {
  let fresh: FreshDatabase;
  const ports: number[] = [];
  const instances: (ApiProcess | undefined)[] = [];
  const browsers = PEOPLE.map(() => new Browser());
  let isStopped = false;
  let traffic: Promise<unknown> = Promise.resolve();

  const env = (keys: Keys) => ({ DATABASE_URL: fresh.url, DATABASE_POOL_SIZE: '8', PUBLIC_URL: publicUrl, ...keys });
  const start = async (at: number, keys: Keys) => {
    instances[at] = await spawnApi(env(keys), ports[at]);
  };
  const base = (at: number) => (instances[at] as ApiProcess).url;
  const bases = () => instances.flatMap((each) => each?.url ?? []);
  const browse = async (browser: Browser) => {
    for (let turn = 0; !isStopped; turn += 1) {
      const up = bases();
      await browser.session(up[turn % up.length] as string).catch((error: unknown) => browser.fail(error));
    }
  };
  const continues = async () => {
    const before = browsers.map(({ calls }) => calls);
    await until(() => browsers.every(({ calls }, at) => calls >= (before[at] as number) + ENOUGH * 2));
  };
  /** Restarts one instance after the other, as a load balancer allows: no request is sent to one that stops. */
  const rotateTo = async (keys: Keys) => {
    for (const at of [0, 1]) {
      await continues();
      const stopping = instances[at];
      instances[at] = undefined;
      await continues();
      await stopping?.stop();
      await start(at, keys);
    }
    await continues();
  };
  const command = async (name: string, keys: Keys) => {
    const child = spawn(process.execPath, [MAIN, name], {
      env: { ...settings, ...env(keys) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise<number | null>((done) => child.once('close', done));
    const output = await text(child.stdout);
    return { code: await exited, output };
  };
  const linesAboutKeys = async (keys: Keys) =>
    (await command('doctor', keys)).output.split('\n').filter((line) => /^\w+ +(session|secrets)-keys /.test(line));

  beforeAll(async () => {
    fresh = await freshDatabase();
    ports.push(await freePort(), await freePort());
    await start(0, keysOf(OLD));
    await start(1, keysOf(OLD));
    await Promise.all(
      browsers.map(async (browser, at) => {
        await browser.signIn(base(0), PEOPLE[at] as string);
        await browser.session(base(1));
      }),
    );
  });
  afterAll(async () => {
    isStopped = true;
    await traffic;
    await Promise.all(instances.map((each) => each?.kill()));
    await fresh?.drop();
  });

  it('loses no session, no sealed value and no list, and says when the old key can be removed', async () => {
    const [browser] = browsers as [Browser];
    const token = () => browser.token;
    const app = await new DeployClient(token(), base(0)).register('Rotated keys', 'ssr');
    const setVariable = (at: number, name: string) =>
      callAt(base(at), `/api/apps/${app.id}/environment/${name}`, {
        token: token(),
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ value: name }),
      });
    expect((await setVariable(0, 'BEFORE')).status).toBe(200);
    for (const name of ['a', 'b', 'c']) {
      const written = await callAt(base(0), `/api/files/rotation/${name}`, {
        token: token(),
        method: 'PUT',
        body: name,
      });
      expect([200, 201]).toContain(written.status);
    }
    const listed = async (at: number, cursor?: string) => {
      const query = new URLSearchParams({ prefix: 'rotation/', limit: '2', ...(cursor && { cursor }) });
      const response = await callAt(base(at), `/api/files?${query}`, { token: token() });
      return { status: response.status, ...((await response.json()) as { next_cursor?: string }) };
    };
    traffic = Promise.all(browsers.map(browse));

    // 1. Every instance can open what the new key seals.
    const first = await listed(0);
    await rotateTo(keysOf(OLD, NEW));
    // 2. The new key seals.
    await rotateTo(keysOf(NEW, OLD));
    expect((await listed(1, first.next_cursor)).status).toBe(200);
    expect((await setVariable(1, 'DURING')).status).toBe(200);
    expect(await linesAboutKeys(keysOf(NEW, OLD))).toEqual([
      expect.stringMatching(/^ok .* Older keys of SESSION_KEYS seal 3 of 3 sessions: keep these keys\./),
      expect.stringMatching(
        /^ok .* Older keys of SECRETS_KEYS seal values \(1: 1 variables\): keep these keys, or run: /,
      ),
    ]);
    expect(await command('reseal', keysOf(NEW, OLD))).toEqual({
      code: 0,
      output: 'Sealed 1 values again, with the key 2.\n',
    });
    // Tokens are renewed before they expire; refused ones are renewed at once.
    for (const each of browsers) await each.session(base(0), true);
    expect(await linesAboutKeys(keysOf(NEW, OLD))).toEqual([
      expect.stringMatching(/^ok .* The first key of SESSION_KEYS seals all 3 sessions: other keys can be removed\.$/),
      expect.stringMatching(/^ok .* The key 2 of SECRETS_KEYS seals all 2 values: other keys can be removed\.$/),
    ]);
    // 3. The old key is removed.
    await rotateTo(keysOf(NEW));
    isStopped = true;
    await traffic;
    expect(browsers.flatMap(({ failures }) => failures)).toEqual([]);
    expect(await linesAboutKeys(keysOf(NEW))).toEqual([
      expect.stringMatching(/^ok .* seals all 3 sessions/),
      expect.stringMatching(/^ok .* seals all 2 values/),
    ]);
    await new DeployClient(token(), base(0)).delete(app.id);
    expect(instances.map((each) => each?.unexpectedErrors())).toEqual([[], []]);
  });
});
