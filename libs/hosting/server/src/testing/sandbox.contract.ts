import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerPlan } from '@homeport/hosting/contracts';
import type { Sandbox, SandboxLine, SandboxSpec } from '../runtime/application/sandbox.port';
import { appFolder } from './app-folder';
import { ECHO_SERVER, STUBBORN_SERVER } from './sandbox-apps';
import { ask, open, upgrade } from './sandbox-client';

const MEBIBYTE = 1024 ** 2;
const LIMITS = { memoryBytes: 256 * MEBIBYTE, cpus: 1, processes: 64, tmpBytes: 8 * MEBIBYTE };
const PLAN: ServerPlan = { framework: 'node', kind: 'script', entry: 'server.mjs', environment: {} };
/** Variables that every app may see. */
const KNOWN_NAMES = /^(PATH|PWD|HOME|HOST|HOSTNAME|NODE_ENV|NODE_USE_ENV_PROXY|PORT|TMPDIR|((http|https|no)_proxy))$/i;
/** Nothing has to happen within it: the tests that use it wait for the kill. */
const SHORT_GRACE_MS = 50;
const LONG_GRACE_MS = 60_000;

/** The contract of every `Sandbox` adapter. */
export function sandboxContract(name: string, sandbox: () => Sandbox): void {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const launch = async (files: Readonly<Record<string, string>>, changes: Partial<SandboxSpec> = {}) => {
    const folder = await appFolder(files);
    cleanups.push(folder.remove);
    const lines: SandboxLine[] = [];
    const app = await sandbox().launch({
      instanceId: randomUUID(),
      appId: randomUUID(),
      appFolder: folder.path,
      plan: PLAN,
      environment: {},
      limits: LIMITS,
      onLine: (line) => lines.push(line),
      ...changes,
    });
    cleanups.push(() => app.stop(SHORT_GRACE_MS));
    return { app, lines, socket: app.socketPath };
  };
  const launched = async (changes?: Partial<SandboxSpec>) => {
    const started = await launch({ 'server.mjs': ECHO_SERVER }, changes);
    await started.app.listening;
    return started;
  };

  describe(`${name} as a sandbox`, () => {
    it('serves requests with bodies', async () => {
      const { socket } = await launched();
      const body = 'x'.repeat(MEBIBYTE);
      const answer = await ask(socket, '/', { method: 'PATCH', body });
      expect(answer).toMatchObject({ status: 200, headers: { 'x-method': 'PATCH' } });
      expect(answer.body === body).toBe(true);
    });

    it('shows frameworks an address of the visitor’s connection', async () => {
      const { socket } = await launched();
      expect((await ask(socket, '/address')).body).toBe('127.0.0.1');
    });

    it('streams responses', async () => {
      const { socket } = await launched();
      const events = await open(socket, '/events');
      const chunks = events[Symbol.asyncIterator]();
      expect(String((await chunks.next()).value)).toBe('data: first\n\n');
      await ask(socket, '/finish-events');
      expect(String((await chunks.next()).value)).toBe('data: last\n\n');
    });

    it('upgrades connections', async () => {
      const { socket } = await launched();
      const connection = await upgrade(socket);
      connection.write('frame');
      const [echo] = (await once(connection, 'data')) as [Buffer];
      expect(String(echo)).toBe('frame');
      connection.destroy();
    });

    it('hands over the environment: of the app, under that of the plan, under that of the sandbox', async () => {
      const { socket } = await launched({
        environment: { SECRET: 'a “b”\nc', ORIGIN: 'app', PORT: '1', NODE_ENV: 'test' },
        plan: { ...PLAN, environment: { ORIGIN: 'plan' } },
      });
      const environment = JSON.parse((await ask(socket, '/environment')).body) as Record<string, string>;
      expect(environment).toMatchObject({ SECRET: 'a “b”\nc', ORIGIN: 'plan', HOST: '127.0.0.1', NODE_ENV: 'test' });
      expect(environment['PORT']).not.toBe('1');
      const names = Object.keys(environment).filter((key) => !KNOWN_NAMES.test(key));
      expect(names.sort()).toEqual(['ORIGIN', 'SECRET']);
    });

    it('reports the lines of both outputs', async () => {
      const { app, lines } = await launched();
      await app.stop(LONG_GRACE_MS);
      expect(lines).toContainEqual({ stream: 'stdout', line: expect.stringMatching(/^listening on \d+$/) });
      expect(lines).toContainEqual({ stream: 'stderr', line: 'finishing' });
    });

    it.each([
      [
        'a Node handler',
        'reqHandler',
        'export const reqHandler = (request, response, next) => response.end(request.url);',
      ],
      [
        'an object with fetch',
        'default',
        'export default { fetch: (request) => new Response(new URL(request.url).pathname) };',
      ],
      ['a fetch handler', 'handler', 'export const handler = async ({ url }) => new Response(new URL(url).pathname);'],
    ])('serves %s', async (_, exportName, code) => {
      const plan: ServerPlan = { ...PLAN, kind: 'handler', entry: 'dist/entry.mjs', exportName };
      const { app, socket } = await launch({ 'dist/entry.mjs': code }, { plan });
      await app.listening;
      expect((await ask(socket, '/a')).body).toBe('/a');
    });

    it.each([
      ['a fetch handler that throws', 'export default { fetch: () => { throw new Error("secret"); } };'],
      ['a fetch handler that returns nothing', 'export default { fetch: () => undefined };'],
      ['a Node handler that rejects', 'export default async (request, response) => { throw new Error("secret"); };'],
    ])('answers with 500 and logs the error of %s', async (_, code) => {
      const plan: ServerPlan = { ...PLAN, kind: 'handler', entry: 'entry.mjs', exportName: 'default' };
      const { app, socket, lines } = await launch({ 'entry.mjs': code }, { plan });
      await app.listening;
      for (const body of ['Internal server error', 'Internal server error'])
        expect(await ask(socket, '/')).toMatchObject({ status: 500, body });
      await app.stop(LONG_GRACE_MS);
      expect(lines.map(({ line }) => line).join()).toMatch(/secret|returned no response/);
    });

    it('answers with 404 when a fetch handler returns null', async () => {
      const plan: ServerPlan = { ...PLAN, kind: 'handler', entry: 'entry.mjs', exportName: 'default' };
      const { app, socket } = await launch({ 'entry.mjs': 'export default { fetch: () => null };' }, { plan });
      await app.listening;
      expect((await ask(socket, '/')).status).toBe(404);
    });

    it('lets the server write its cache folder', async () => {
      const server = `import { writeFileSync } from 'node:fs';
        writeFileSync(import.meta.dirname + '/.next/cache/image', 'optimized');
        ${ECHO_SERVER}`;
      const plan = { ...PLAN, cacheFolder: '.next/cache' };
      const { app } = await launch({ 'server.mjs': server }, { plan });
      await expect(app.listening).resolves.toBeUndefined();
    });

    it('serves CommonJS modules', async () => {
      const code = 'module.exports = (request, response) => response.end(request.url);';
      const { app, socket } = await launch({ 'a.cjs': code }, { plan: { ...PLAN, kind: 'handler', entry: 'a.cjs' } });
      await app.listening;
      expect((await ask(socket, '/b')).body).toBe('/b');
    });

    it('rejects when the server exits before it listens', async () => {
      const { app, lines } = await launch({ 'server.mjs': 'console.error("no database"); process.exit(3);' });
      const exit = { code: 3, signal: null, isOutOfMemory: false };
      await expect(app.listening).rejects.toMatchObject({ name: 'SandboxExited', exit });
      expect(await app.exited).toEqual(exit);
      expect(lines).toEqual([{ stream: 'stderr', line: 'no database' }]);
    });

    it('reports an exit while serving', async () => {
      const { app, socket } = await launched();
      await expect(ask(socket, '/exit')).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(await app.exited).toEqual({ code: 7, signal: null, isOutOfMemory: false });
    });

    it('reports an exhausted heap', async () => {
      const hog = 'const all = []; for (;;) all.push(new Array(1000).fill(all.length));';
      const limits = { ...LIMITS, memoryBytes: 96 * MEBIBYTE };
      const { app } = await launch({ 'server.mjs': hog }, { limits });
      expect(await app.exited).toMatchObject({ isOutOfMemory: true });
    });

    it('lets a server finish, and leaves nothing', async () => {
      const { app, socket } = await launched();
      await app.stop(LONG_GRACE_MS);
      expect(await app.exited).toEqual({ code: 0, signal: null, isOutOfMemory: false });
      await expect(access(socket)).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await app.memoryBytes()).toBe(0);
      await app.freeze();
      await app.thaw();
      await app.stop(LONG_GRACE_MS);
    });

    it('kills a server that does not stop', async () => {
      const { app } = await launch({ 'server.mjs': STUBBORN_SERVER });
      await app.listening;
      await app.stop(SHORT_GRACE_MS);
      expect(await app.exited).toMatchObject({ code: null, signal: 'SIGKILL' });
    });

    it('kills what the server started', async () => {
      const { app } = await launch({
        'server.mjs': `import { spawn } from 'node:child_process';
          spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'inherit' });
          ${ECHO_SERVER}`,
      });
      await app.listening;
      await app.stop(LONG_GRACE_MS);
      // Resolves once all have closed the outputs.
      expect(await app.exited).toMatchObject({ code: 0 });
    });

    it('suspends and resumes a server', async () => {
      const [{ app, socket }, other] = [await launched(), await launched()];
      await app.freeze();
      await app.freeze();
      const answer = ask(socket, '/time');
      // Gives the server time to answer, if it were not suspended.
      for (let round = 0; round < 20; round += 1) await ask(other.socket, '/time');
      const thawedAt = Date.now();
      await app.thaw();
      expect(Number((await answer).body)).toBeGreaterThanOrEqual(thawedAt);
    });

    it('stops a suspended server', async () => {
      const { app } = await launched();
      await app.freeze();
      await app.stop(LONG_GRACE_MS);
      expect(await app.exited).toMatchObject({ code: 0 });
    });

    it('states the memory of a server', async () => {
      const { app } = await launched();
      const bytes = await app.memoryBytes();
      expect(bytes).toBeGreaterThan(5 * MEBIBYTE);
      expect(bytes).toBeLessThan(LIMITS.memoryBytes);
    });
  });
}
