import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PooledRuntime } from '../../runtime/adapters/pooled/pooled-runtime';
import { ChunkPace } from '../../runtime/domain/chunk-pace';
import { RUNTIME_LIMITS } from '../../runtime/domain/runtime-limits';
import { PROBE_APP } from './probe-app';
import { RunningRuntime, type RuntimeContext } from './running-runtime';

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** What a runtime with a pool of processes does with requests, in any sandbox. */
export function pooledRuntimeContract(name: string, createRuntime: (context: RuntimeContext) => PooledRuntime): void {
  describe(`a pooled runtime with ${name}`, () => {
    let folder: string;
    let runtime: RunningRuntime<PooledRuntime>;
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

    /** Sends the beginning of a request. */
    const connectTo = (line: string, rest: string, allowHalfOpen = false) => {
      const socket = connect({ path: runtime.socketPath, allowHalfOpen });
      const revision = `x-homeport-deploy: ${deploy}\r\nx-homeport-version: 1\r\nx-homeport-scope: production\r\n`;
      socket.write(`${line} HTTP/1.1\r\nHost: a\r\n${revision}${rest}`);
      return socket;
    };

    const instancesNow = () => [...runtime.runtime.pool.pools].flatMap(({ instances }) => [...instances]);
    const leases = () => instancesNow().flatMap((instance) => [...instance.leases]);
    const statesNow = () => instancesNow().map(({ state }) => state);

    it('streams responses while other requests reach the same instance', async () => {
      const events = await runtime.send({ deploy, path: '/events' });
      const chunks: string[] = [];
      events.on('data', (chunk) => chunks.push(String(chunk)));
      const ended = once(events, 'end');
      await once(events, 'data');
      expect(chunks).toEqual(['data: 1\n\n']);
      await runtime.request({ deploy, path: '/release' });
      await ended;
      expect(chunks).toEqual(['data: 1\n\n', 'data: 2\n\n']);
      const late = await runtime.send({ deploy, path: '/head-only' });
      await runtime.request({ deploy, path: '/release' });
      expect(String(await buffer(late))).toBe('late');
    });

    it('writes small chunks of a body together, and counts them for the server', async () => {
      const received = jest.spyOn(ChunkPace.prototype, 'received');
      const response = await runtime.send({ deploy, path: '/chunks' });
      let chunks = 0;
      response.on('data', () => (chunks += 1));
      await once(response, 'end');
      expect(chunks).toBeLessThan(500);
      // Fewer are free.
      expect(Math.max(...received.mock.calls.map(([count]) => count))).toBeGreaterThan(64);
      expect(received.mock.contexts.at(-1)).toBe(instancesNow()[0]?.chunkPace);
      received.mockRestore();
      const { status, body } = await runtime.request({ deploy, path: '/many-chunks' });
      expect([status, body.length]).toEqual([200, 10_000]);
    });

    it('delays the next request to a server that sent many small chunks', async () => {
      await runtime.request({ deploy });
      const paces = instancesNow().map(({ chunkPace }) => chunkPace);
      // More than half a second, which no request to a running server takes.
      for (const pace of paces) pace.received(40_000);
      expect((await runtime.request({ deploy })).status).toBe(200);
      expect(paces.map(({ delayMs }) => delayMs)).toEqual([0]);
    });

    it('ends a response that has informational responses without end before it', async () => {
      const bytes = `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`;
      const path = `/raw?${Buffer.from(bytes).toString('base64url')}`;
      const { status, headers } = await runtime.request({ deploy, path });
      expect([status, headers['x-homeport-runtime']]).toEqual([502, 'runtime-crashed']);
      expect((await runtime.request({ deploy })).status).toBe(200);
    });

    it('forwards both sides of a WebSocket, and a refusal', async () => {
      const socket = connectTo('GET /socket', `${UPGRADE}early`);
      let received = '';
      socket.on('data', (chunk) => (received += String(chunk)));
      while (!received.endsWith('early')) await once(socket, 'data');
      expect(received).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[^]*Upgrade: websocket\r\n\r\nearly$/);
      socket.write('later');
      while (!received.endsWith('later')) await once(socket, 'data');
      socket.end();
      await once(socket, 'close');
      const refused = connectTo('GET /no-socket', UPGRADE);
      expect(String(await buffer(refused))).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[^]*\r\n\r\nno$/);
    });

    it('closes an idle WebSocket with the code 1001', async () => {
      await runtime.close();
      runtime = await open({ webSocketIdleMs: 50 });
      deploy = runtime.deploy();
      await runtime.request({ deploy });
      const socket = connectTo('GET /', UPGRADE);
      expect((await buffer(socket)).subarray(-4)).toEqual(Buffer.from([0x88, 2, 3, 0xe9]));
    });

    it('closes WebSockets with the code 1001 when it stops', async () => {
      const socket = connectTo('GET /', UPGRADE);
      await once(socket, 'data');
      const received = buffer(socket);
      expect(await runtime.stop(25_000)).toBe(true);
      expect(await received).toEqual(Buffer.from([0x88, 2, 3, 0xe9]));
    });

    it('closes a WebSocket that the app has closed, even if the client does not close its side', async () => {
      const socket = connectTo('GET /closing', UPGRADE, true);
      expect(String(await buffer(socket))).toMatch(/^HTTP\/1\.1 101 [^]*bye$/);
      const closed = new Promise((resolve) => socket.once('error', resolve));
      const writing = setInterval(() => socket.write('still here'), 10);
      expect(await closed).toMatchObject({ code: 'EPIPE' });
      clearInterval(writing);
    });

    it('cancels requests of visitors who send or read too slowly, while others wait', async () => {
      await runtime.close();
      runtime = await open({ concurrency: 2, instances: 1, visitorRate: { bytes: 1_000, windowMs: 20, graceMs: 0 } });
      deploy = runtime.deploy();
      const slow = [
        connectTo('POST /never', 'Connection: close\r\nContent-Length: 9\r\n\r\nx'),
        connectTo('GET /large', '\r\n'),
      ] as const;
      await once(slow[1], 'readable');
      while (leases().length < 2 || !leases().every(({ isSlow }) => isSlow)) await setImmediate();
      const sweeping = setInterval(() => runtime.runtime.pool.sweep(), 10);
      expect(await Promise.all([runtime.request({ deploy }), runtime.request({ deploy })])).toMatchObject([
        { status: 200 },
        { status: 200 },
      ]);
      clearInterval(sweeping);
      expect(String(await buffer(slow[0]))).toMatch(/^HTTP\/1\.1 503 [^]*x-homeport-runtime: queue-full/);
      expect((await buffer(slow[1])).length).toBeLessThan(16 * 1024 ** 2);
    });

    it.each(['/sized?300', '/large'])('cuts off %s when the client does not read it in time', async (path) => {
      await runtime.close();
      runtime = await open({ responseMs: 50 });
      deploy = runtime.deploy();
      const socket = connectTo(`GET ${path}`, '\r\n');
      await once(socket, 'readable');
      while (leases().length > 0) await setImmediate();
      socket.destroy();
    });

    it('freezes an idle instance and resumes it for a request', async () => {
      await runtime.request({ deploy });
      runtime.pass(RUNTIME_LIMITS.freezeAfterMs + 1);
      expect(statesNow()).toEqual(['frozen']);
      expect((await runtime.request({ deploy })).status).toBe(200);
      expect(statesNow()).toEqual(['ready']);
    });

    it('switches and rolls back under load without a failed request', async () => {
      const app = '11111111-1111-4111-8111-111111111111';
      const deploys = [runtime.deploy(app), runtime.deploy(app)] as const;
      let current: string = deploys[0];
      let isDone = false;
      const statuses = new Set<number>();
      const visitor = async () => {
        while (!isDone) statuses.add((await runtime.request({ deploy: current })).status);
      };
      await runtime.request({ deploy: current });
      const visitors = Array.from({ length: 20 }, visitor);
      for (const next of [deploys[1], deploys[0], deploys[1]]) {
        current = next;
        for (let request = 0; request < 20; request += 1) await runtime.request({ deploy: current });
        runtime.pass(1_000);
      }
      isDone = true;
      await Promise.all(visitors);
      expect([...statuses]).toEqual([200]);
      expect(runtime.lines.filter(({ stream }) => stream === 'system')).toEqual([]);
    });

    it('sends a request that ended an instance to no other, even over a kept connection', async () => {
      expect((await runtime.request({ deploy })).status).toBe(200);
      expect((await runtime.request({ deploy, path: '/crash' })).status).toBe(502);
      expect((await runtime.request({ deploy })).status).toBe(200);
      const reports = runtime.lines.filter(({ stream }) => stream === 'system').map(({ line }) => line);
      expect(reports).toEqual(['The server crashed: exit code 7.']);
    });

    it('survives an invalid answer to a request for a WebSocket', async () => {
      const headers = { connection: 'Upgrade', upgrade: 'websocket' };
      expect((await runtime.request({ deploy, path: `/status-99`, headers })).status).toBe(502);
      expect((await runtime.request({ deploy })).status).toBe(200);
    });
  });
}
