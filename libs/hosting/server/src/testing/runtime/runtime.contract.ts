import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Runtime } from '../../runtime/application/runtime.port';
import { PROBE_APP } from './probe-app';
import { RunningRuntime, type RuntimeContext } from './running-runtime';

/** The contract of every `Runtime` adapter. */
export function runtimeContract(name: string, createRuntime: (context: RuntimeContext) => Runtime): void {
  describe(`${name} as a runtime`, () => {
    let folder: string;
    let runtime: RunningRuntime;
    let deploy: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'hp-bundle-'));
      // Apps may run as other users.
      await chmod(folder, 0o755);
      await writeFile(join(folder, 'server.mjs'), PROBE_APP);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const open = (limits = {}) => {
      const bundles = { prepare: () => Promise.resolve(folder) };
      return new RunningRuntime({ createRuntime, bundles, limits }).open();
    };

    beforeEach(async () => {
      runtime = await open();
      deploy = runtime.deploy();
    });
    afterEach(() => runtime.close());

    const appOf = (deployId: string) => runtime.directory.servers.get(deployId)!.appId;

    it('starts the server at the first request and forwards method, query, header fields and body', async () => {
      expect(await runtime.request({ deploy })).toMatchObject({ status: 200, body: 'hello' });
      const headers = { 'X-Two': 'a', Connection: 'close, X-Gone', 'X-Gone': '1' };
      const { body } = await runtime.request({ deploy, path: '/headers?a=1', headers });
      const names = (JSON.parse(body) as string[]).filter((_, index) => index % 2 === 0);
      expect(names).toEqual(['host', 'X-Two', 'Connection']);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect(await runtime.request({ deploy, path: '/echo', method, body: 'text' })).toMatchObject({ body: 'text' });
      expect(await runtime.request({ deploy, path: '/echo', method: 'POST' })).toMatchObject({ status: 200, body: '' });
      expect(await runtime.request({ deploy, method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
      expect(await runtime.request({ deploy, path: '/none' })).toMatchObject({ status: 404, body: 'not here' });
    });

    it('streams responses', async () => {
      const endless = await runtime.send({ deploy, path: '/endless' });
      const [first] = (await once(endless, 'data')) as [Buffer];
      expect(String(first)).toMatch(/^1\n/);
      endless.destroy();
      expect(await runtime.request({ deploy })).toMatchObject({ status: 200, body: 'hello' });
    });

    it('prepares a deploy: starts it once and reports the first answer and the log', async () => {
      const revision = { deployId: deploy, version: 1, scope: 'production' } as const;
      expect(await runtime.runtime.prepare(revision)).toMatchObject({ status: 200, log: ['listening'] });
      expect(await runtime.runtime.prepare(revision)).toMatchObject({ status: 200 });
      expect(runtime.lines.filter(({ line }) => line === 'listening')).toHaveLength(1);
      expect(await runtime.request({ deploy })).toMatchObject({ status: 200, body: 'hello' });
    });

    it('reports why a deploy does not start', async () => {
      const broken = runtime.deploy();
      runtime.directory.environments.set(`${appOf(broken)} production`, { EXIT: '3' });
      const revision = { deployId: broken, version: 1, scope: 'production' } as const;
      const failure = await runtime.runtime.prepare(revision).catch((error: unknown) => error);
      expect(failure).toMatchObject({ failure: 'start-failed', message: 'The start failed: exit code 3.' });
      expect(runtime.lines.map(({ line }) => line)).toContain('The start failed: exit code 3.');
      const { status, headers } = await runtime.request({ deploy: broken });
      expect([status, headers['x-homeport-runtime']]).toEqual([503, 'start-failed']);
    });

    it.each([
      ['/crash', 'the server crashed: exit code 7'],
      ['/never', 'no response arrived within 0.5 s'],
    ])('reports why the first request has no response: %s', async (first, error) => {
      await runtime.close();
      runtime = await open({ firstByteMs: 500 });
      const broken = runtime.deploy();
      runtime.directory.environments.set(`${appOf(broken)} production`, { FIRST: first });
      const revision = { deployId: broken, version: 1, scope: 'production' } as const;
      expect(await runtime.runtime.prepare(revision)).toMatchObject({ status: undefined, error });
    });

    it('hands over the variables of the scope, and new ones with the next version', async () => {
      runtime.directory.environments.set(`${appOf(deploy)} production`, { GREETING: 'one' });
      expect((await runtime.request({ deploy })).body).toBe('one');
      runtime.directory.environments.set(`${appOf(deploy)} production`, { GREETING: 'two' });
      runtime.directory.add(deploy, appOf(deploy), 2);
      const revision = { deployId: deploy, version: 2, scope: 'production' } as const;
      await runtime.runtime.warm(revision);
      const answers = new Set<string>();
      while (!answers.has('two')) answers.add((await runtime.request({ deploy, version: 2 })).body);
      expect([...answers].filter((answer) => !['one', 'two'].includes(answer))).toEqual([]);
    });

    it('retires a deploy', async () => {
      await runtime.request({ deploy });
      runtime.directory.servers.delete(deploy);
      await runtime.runtime.retire({ deployId: deploy, version: 1, scope: 'production' });
      expect([...runtime.runtime.revisions]).toEqual([]);
      expect((await runtime.request({ deploy })).status).toBe(503);
    });

    it('reports instances', async () => {
      await runtime.request({ deploy });
      await runtime.request({ deploy });
      const [revision] = [...runtime.runtime.revisions];
      expect(revision).toMatchObject({ appId: appOf(deploy), isReady: true, isCrashLooping: false, isReplaced: false });
      const instances = [...revision!.instances];
      await instances[0]!.measure();
      expect(instances[0]).toMatchObject({ state: 'ready' });
      expect(instances[0]!.memoryBytes).toBeGreaterThan(1024 ** 2);
      expect(instances.reduce((sum, { requests }) => sum + requests, 0)).toBe(2);
    });

    it('waits after three crashes in a minute', async () => {
      for (let crash = 0; crash < 3; crash += 1) await runtime.request({ deploy, path: '/crash' });
      const { status, headers } = await runtime.request({ deploy });
      expect([status, headers['x-homeport-runtime'], headers['retry-after']]).toEqual([502, 'runtime-crashed', '1']);
      const [revision] = [...runtime.runtime.revisions];
      expect(revision).toMatchObject({ isCrashLooping: true, failure: 'exit code 7' });
      runtime.pass(60_000);
      expect((await runtime.request({ deploy })).status).toBe(200);
    });

    it('reports a crash to the requests in flight, and starts again for the next one', async () => {
      const crashed = await runtime.request({ deploy, path: '/crash' });
      expect([crashed.status, crashed.headers['x-homeport-runtime'], crashed.body]).toEqual([
        502,
        'runtime-crashed',
        '',
      ]);
      expect((await runtime.request({ deploy })).status).toBe(200);
      expect(runtime.lines.map(({ line }) => line)).toContain('The server crashed: exit code 7.');
    });

    it('reports a server without a first byte in time', async () => {
      await runtime.close();
      runtime = await open({ firstByteMs: 50 });
      deploy = runtime.deploy();
      const { status, headers } = await runtime.request({ deploy, path: '/never' });
      expect([status, headers['x-homeport-runtime']]).toEqual([504, 'timeout']);
    });

    it('reports an unknown deploy, and a body that is too large', async () => {
      const unknown = await runtime.request({ deploy: '00000000-0000-4000-8000-000000000000' });
      expect([unknown.status, unknown.headers['x-homeport-runtime']]).toEqual([503, 'start-failed']);
      await runtime.close();
      runtime = await open({ bodyBytes: 10 });
      deploy = runtime.deploy();
      const large = { deploy, path: '/echo', method: 'POST', body: 'x'.repeat(11) };
      expect((await runtime.request(large)).status).toBe(413);
      const chunked = { ...large, headers: { 'Transfer-Encoding': 'chunked' } };
      expect((await runtime.request(chunked)).status).toBe(413);
    });

    it('closes the connection of a response that breaks off', async () => {
      const response = await runtime.send({ deploy, path: '/broken' });
      await expect(buffer(response)).rejects.toThrow('aborted');
    });

    it.each([
      'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      'no HTTP',
    ])('survives the response %j', async (bytes) => {
      const path = `/raw?${Buffer.from(bytes).toString('base64url')}`;
      const { status, headers } = await runtime.request({ deploy, path });
      expect([status, headers['x-homeport-runtime']]).toEqual([502, 'runtime-crashed']);
      expect((await runtime.request({ deploy })).status).toBe(200);
    });

    it('ignores a body where the status allows none', async () => {
      const bytes = 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\nhi';
      const path = `/raw?${Buffer.from(bytes).toString('base64url')}`;
      expect(await runtime.request({ deploy, path })).toMatchObject({ status: 304, body: '' });
    });

    it('does not let an app speak for the runtime', async () => {
      const { status, headers } = await runtime.request({ deploy, path: '/spoof' });
      expect([status, headers['x-homeport-runtime']]).toEqual([200, undefined]);
    });

    it('collects what the app writes', async () => {
      await runtime.request({ deploy, path: '/log' });
      const written = () => runtime.lines.find(({ line }) => line === 'a line');
      while (!written()) await runtime.request({ deploy });
      expect(written()).toMatchObject({ stream: 'stdout', appId: appOf(deploy), deployId: deploy });
    });
  });
}
