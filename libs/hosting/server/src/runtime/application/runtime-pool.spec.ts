import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeRuntimeDirectory } from '../../testing/runtime/fake-runtime-directory';
import { FakeSandbox } from '../../testing/runtime/fake-sandbox';
import { RUNTIME_LIMITS } from '../domain/runtime-limits';
import type { Revision } from '../domain/revision';
import type { Lease } from './instance';
import { InstanceLauncher } from './instance-launcher';
import { refreshApp } from './refresh-app';
import { type InstanceLine, RuntimePool } from './runtime-pool';

const APP = randomUUID();
const OLD = randomUUID();
const NEW = randomUUID();
const MIB = 1024 * 1024;
const limits = { ...RUNTIME_LIMITS, concurrency: 2, queueLength: 4 };

let now: number;
let sandbox: FakeSandbox;
let directory: FakeRuntimeDirectory;
let pool: RuntimePool;
let lines: InstanceLine[];
/** Resolves when the files of deploys are on this machine. */
let downloads: Promise<unknown>;

beforeEach(() => {
  now = 1_000_000;
  sandbox = new FakeSandbox();
  directory = new FakeRuntimeDirectory().add(OLD, APP).add(NEW, APP);
  lines = [];
  downloads = Promise.resolve();
  const bundles = { prepare: (deployId: string) => downloads.then(() => deployId) };
  const launcher = new InstanceLauncher({ directory, bundles, sandbox, limits });
  pool = new RuntimePool({
    directory,
    launcher,
    limits,
    memoryBytes: 1_024 * MIB,
    now: () => now,
    onLine: (line) => lines.push(line),
  });
});
afterEach(() => sandbox.close());

const of = (deployId: string, version = 1): Revision => ({ deployId, version, scope: 'production' });
const acquire = (deployId: string = OLD, version = 1) => pool.acquire(of(deployId, version));
const failureOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'none',
    (error: { failure?: string; name: string }) => error.failure ?? error.name,
  );
const statesOf = (deployId: string) =>
  [...pool.pools]
    .filter(({ revision }) => revision.deployId === deployId)
    .flatMap(({ instances }) => [...instances].map(({ state }) => state));
const pass = (ms: number) => {
  now += ms;
  pool.sweep();
};
const settle = () => new Promise((resolve) => setImmediate(resolve));
const use = async (deployId?: string, version?: number) => {
  const lease = await acquire(deployId, version);
  lease.release();
  return lease;
};

describe('RuntimePool', () => {
  it('starts an instance at the first request and uses it for the next ones', async () => {
    const [one, two] = await Promise.all([acquire(), acquire()]);
    expect(one.instance).toBe(two.instance);
    expect(sandbox.launched).toHaveLength(1);
    expect(one.instance.requests).toBe(2);
  });

  it('rejects an unknown deploy', async () => {
    expect(await failureOf(pool.acquire(of(randomUUID())))).toBe('RevisionNotFound');
  });

  it('starts a second instance when the first one is full, and queues further requests', async () => {
    const leases = await Promise.all([acquire(), acquire(), acquire(), acquire()]);
    expect(sandbox.launched).toHaveLength(2);
    const first = acquire();
    const others = Promise.all([acquire(), acquire(), acquire()].map(failureOf));
    expect(await failureOf(acquire())).toBe('queue-full');
    leases[0].release();
    expect((await first).instance).toBe(leases[0].instance);
    pass(limits.queueMs + 1);
    expect(await others).toEqual(['queue-full', 'queue-full', 'queue-full']);
  });

  describe('with the limit of an app', () => {
    const preview = (deployId: string): Revision => ({ deployId, version: 1, scope: 'preview' });

    it('shares the instances of an app among its revisions', async () => {
      await Promise.all([acquire(), acquire(), acquire()]);
      const waiting = pool.acquire(preview(NEW));
      const failure = failureOf(waiting);
      await settle();
      expect(sandbox.launched).toHaveLength(2);
      pass(limits.queueMs + 1);
      expect(await failure).toBe('queue-full');
    });

    it('ends the instance that is idle longest for another revision', async () => {
      const first = await use();
      now += 1;
      (await pool.acquire(preview(OLD))).release();
      const last = await pool.acquire(preview(NEW));
      expect(first.instance.state).toBe('draining');
      expect([sandbox.launched.length, last.instance.state]).toEqual([3, 'ready']);
    });

    it('starts a waiting revision when another one has become idle', async () => {
      const busy = await Promise.all([acquire(), acquire(), acquire()]);
      const waiting = pool.acquire(preview(NEW));
      await settle();
      for (const lease of busy) lease.release();
      pass(250);
      expect((await waiting).instance.state).toBe('ready');
      expect(sandbox.launched).toHaveLength(3);
    });

    it('starts the live deploy and a check while previews use all instances', async () => {
      const busy = await Promise.all([1, 2, 3].map(() => pool.acquire(preview(NEW))));
      expect(busy).toHaveLength(3);
      expect((await acquire(OLD)).instance.state).toBe('ready');
      const checked = randomUUID();
      directory.add(checked, APP, 1, 'preview');
      expect((await pool.check(checked)).instance.state).toBe('ready');
    });

    it('does not count the instances of a replaced deploy', async () => {
      const former = await Promise.all([acquire(OLD), acquire(OLD), acquire(OLD)]);
      const current = [await acquire(NEW), ...(await Promise.all([acquire(NEW), acquire(NEW)]))];
      expect(new Set([...former, ...current].map(({ instance }) => instance.id)).size).toBe(4);
    });
  });

  it('checks the start of a preview with the variables of previews', async () => {
    directory.add(NEW, APP, 1, 'preview');
    directory.environments.set(`${APP} preview`, { A: 'preview' }).set(`${APP} production`, { A: 'production' });
    await pool.check(NEW);
    await pool.check(OLD);
    expect(sandbox.launched.map(({ spec }) => spec.environment)).toEqual([{ A: 'preview' }, { A: 'production' }]);
  });

  it('freezes an idle instance, resumes it for a request, and stops it later', async () => {
    await use();
    const { calls } = sandbox.last;
    pass(limits.freezeAfterMs + 1);
    expect(statesOf(OLD)).toEqual(['frozen']);
    await use();
    expect([statesOf(OLD), calls]).toEqual([['ready'], ['freeze', 'thaw']]);
    pass(limits.freezeAfterMs + 1);
    pass(limits.stopAfterMs);
    await settle();
    await sandbox.last.exited;
    expect(calls.at(-1)).toBe('stop 10000');
    await settle();
    expect(statesOf(OLD)).toEqual([]);
  });

  it('does not freeze an instance with a request', async () => {
    await acquire();
    pass(limits.freezeAfterMs * 10);
    expect(statesOf(OLD)).toEqual(['ready']);
  });

  it('gives a server its time to listen after its files are downloaded', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    downloads = promise;
    sandbox.listensAtOnce = false;
    void failureOf(acquire());
    await settle();
    pass(limits.startMs + 1);
    resolve(undefined);
    await settle();
    pass(limits.startMs - 1);
    expect(statesOf(OLD)).toEqual(['launching']);
    await sandbox.last.listen();
    await settle();
    expect(statesOf(OLD)).toEqual(['ready']);
  });

  it('fails requests when the server does not listen in time', async () => {
    sandbox.listensAtOnce = false;
    const attempt = failureOf(acquire());
    await settle();
    pass(limits.startMs + 1);
    expect(await attempt).toBe('start-failed');
    expect(lines.at(-1)).toMatchObject({ stream: 'system', line: 'The start failed: it did not listen within 10 s.' });
  });

  it('starts a new instance after a crash, and waits after three crashes in a minute', async () => {
    for (let crash = 0; crash < 3; crash += 1) {
      await use();
      await sandbox.last.crash();
      await settle();
    }
    expect(await failureOf(acquire())).toBe('runtime-crashed');
    expect([...pool.pools].map(({ isCrashLooping, failure }) => [isCrashLooping, failure])).toEqual([
      [true, 'exit code 1'],
    ]);
    pass(1_000);
    await use();
    expect(sandbox.launched).toHaveLength(4);
  });

  it('counts crashes that are seconds apart, although nothing runs between them', async () => {
    for (let crash = 0; crash < 3; crash += 1) {
      await use();
      await sandbox.last.crash();
      await settle();
      pass(10_000);
    }
    expect([...pool.pools].map(({ isCrashLooping }) => isCrashLooping)).toEqual([true]);
  });

  it('forgets a revision whose last crash was a minute ago', async () => {
    await use();
    await sandbox.last.crash();
    await settle();
    pass(60_001);
    expect([...pool.pools]).toEqual([]);
  });

  it('sends no request to an instance that has ended, before its exit is known', async () => {
    const { instance } = await use();
    sandbox.last.end();
    await settle();
    expect((await use()).instance).not.toBe(instance);
  });

  it('passes failures of the runtime itself on, without counting them as crashes', async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      sandbox.failure = new TypeError('no sandbox');
      expect(await failureOf(acquire())).toBe('TypeError');
    }
    sandbox.failure = undefined;
    await use();
  });

  it('keeps one idle instance of the former deploy for a roll-back', async () => {
    const pending = await acquire(OLD);
    await use(NEW);
    pool.sweep();
    expect([statesOf(OLD), statesOf(NEW)]).toEqual([['ready'], ['ready']]);
    pending.release();
    pool.sweep();
    expect(statesOf(OLD)).toEqual(['frozen']);
    await use(OLD);
    expect([statesOf(OLD), sandbox.launched.length]).toEqual([['ready'], 2]);
    pool.sweep();
    expect(statesOf(NEW)).toEqual(['frozen']);
  });

  it('keeps the suspended instance for a roll-back while another one ends', async () => {
    const [slow, another, last] = await Promise.all([acquire(OLD), acquire(OLD), acquire(OLD)]);
    await use(NEW);
    last.release();
    pool.sweep();
    expect(statesOf(OLD)).toEqual(['ready', 'frozen']);
    sandbox.launched[0]!.stop = () => new Promise(() => undefined);
    pass(limits.drainRequestsMs + 1);
    slow.release();
    another.release();
    pool.sweep();
    expect(statesOf(OLD)).toEqual(['draining', 'frozen']);
  });

  it('ends requests of the former deploy after 30 s and streams after 5 min', async () => {
    const stream = await acquire(OLD);
    stream.isStream = true;
    await use(NEW);
    pass(limits.drainRequestsMs + 1);
    expect(statesOf(OLD)).toEqual(['ready']);
    stream.isStream = false;
    pool.sweep();
    expect(statesOf(OLD)).toEqual(['draining']);
  });

  it('serves with the former variables until an instance with the new ones is ready, then ends the old one', async () => {
    const former = await use(OLD, 1);
    directory.add(OLD, APP, 2);
    sandbox.listensAtOnce = false;
    expect((await use(OLD, 2)).instance).toBe(former.instance);
    await settle();
    await sandbox.last.listen();
    await settle();
    expect((await use(OLD, 2)).instance).not.toBe(former.instance);
    pool.sweep();
    await sandbox.launched[0]!.exited;
    await settle();
    expect(statesOf(OLD)).toEqual(['ready']);
  });

  it('runs one new instance when variables change many times in a row', async () => {
    const former = await use(OLD, 1);
    sandbox.listensAtOnce = false;
    for (let version = 2; version < 10; version += 1) {
      directory.add(OLD, APP, version);
      directory.live.set(APP, of(OLD, version));
      await refreshApp(APP, { runtime: pool, directory });
      await settle();
    }
    expect(statesOf(OLD).filter((state) => state !== 'draining')).toEqual(['ready', 'launching']);
    expect((await use(OLD, 9)).instance).toBe(former.instance);
  });

  it('starts the live revision when a running app changes, and leaves a sleeping one alone', async () => {
    directory.live.set(APP, of(NEW));
    await refreshApp(APP, { runtime: pool, directory });
    expect(sandbox.launched).toHaveLength(0);
    await use(OLD);
    await refreshApp(APP, { runtime: pool, directory });
    await settle();
    expect(sandbox.launched.map(({ spec }) => spec.appFolder)).toEqual([OLD, NEW]);
  });

  it('ends a deleted deploy and keeps the live one', async () => {
    await use(OLD);
    await use(NEW);
    directory.live.set(APP, of(NEW));
    directory.servers.delete(OLD);
    await refreshApp(APP, { runtime: pool, directory });
    await settle();
    expect([statesOf(OLD), statesOf(NEW)]).toEqual([[], ['ready']]);
  });

  it('ends all instances of a deleted app', async () => {
    await use(OLD);
    directory.servers.clear();
    await refreshApp(APP, { runtime: pool, directory });
    await sandbox.last.exited;
    expect(await failureOf(acquire(OLD))).toBe('RevisionNotFound');
  });

  it('ends the instance that is idle longest when memory runs short', async () => {
    const deploys = Array.from({ length: 20 }, () => randomUUID());
    for (const deploy of deploys) directory.add(deploy, randomUUID());
    for (const deploy of deploys.slice(0, 16)) {
      await use(deploy);
      now += 1;
    }
    expect(sandbox.launched.filter(({ calls }) => calls.length > 0)).toHaveLength(0);
    await use(deploys[16]);
    expect(sandbox.launched.map(({ calls }, index) => (calls.length > 0 ? index : -1)).filter((at) => at >= 0)).toEqual(
      [0],
    );
    await pool.measure();
    await use(deploys[17]);
    expect(sandbox.launched.filter(({ calls }) => calls.length > 0)).toHaveLength(1);
  });

  it('keeps requests waiting for the running instance when no other one can start', async () => {
    const leases = await Promise.all([acquire(), acquire()]);
    sandbox.failure = new TypeError('no sandbox');
    const waiting = acquire();
    await settle();
    leases[0].release();
    expect((await waiting).instance).toBe(leases[0].instance);
  });

  it('rejects a start when all memory is in use', async () => {
    const busy: Lease[] = [];
    for (let app = 0; app < 16; app += 1) {
      const deploy = randomUUID();
      directory.add(deploy, randomUUID());
      busy.push(await acquire(deploy));
    }
    expect(await failureOf(acquire(OLD))).toBe('queue-full');
  });

  it('hands the variables and limits to the sandbox', async () => {
    directory.environments.set(`${APP} production`, { A: '1' });
    await use();
    expect(sandbox.last.spec).toMatchObject({
      appId: APP,
      environment: { A: '1' },
      limits: { memoryBytes: 256 * MIB, cpus: 1, processes: 64, tmpBytes: 64 * MIB },
    });
  });
});
