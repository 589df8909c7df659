import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeRuntimeDirectory } from '../../testing/runtime/fake-runtime-directory';
import { FakeSandbox } from '../../testing/runtime/fake-sandbox';
import { RUNTIME_LIMITS } from '../domain/runtime-limits';
import { InstanceLauncher } from './instance-launcher';
import { RuntimePool } from './runtime-pool';
import { type AppState, type InstanceRecord, RuntimeRecords, RuntimeStateReporter } from './runtime-state';

class RuntimeRecordsInMemory extends RuntimeRecords {
  readonly states: AppState[] = [];
  readonly instances: (readonly InstanceRecord[])[] = [];

  override removeLost(): Promise<void> {
    return Promise.resolve();
  }

  override async saveInstances(instances: readonly InstanceRecord[]): Promise<void> {
    this.instances.push(instances);
  }

  override async saveStates(states: readonly AppState[]): Promise<void> {
    this.states.push(...states);
  }
}

describe('RuntimeStateReporter', () => {
  const app = randomUUID();
  const deployId = randomUUID();
  let now: number;
  let sandbox: FakeSandbox;
  let directory: FakeRuntimeDirectory;
  let records: RuntimeRecordsInMemory;
  let pool: RuntimePool;
  let reporter: RuntimeStateReporter;

  beforeEach(() => {
    now = 1_000_000;
    sandbox = new FakeSandbox();
    records = new RuntimeRecordsInMemory();
    directory = new FakeRuntimeDirectory().add(deployId, app);
    const limits = RUNTIME_LIMITS;
    const bundles = { prepare: (id: string) => Promise.resolve(id) };
    const launcher = new InstanceLauncher({ directory, bundles, sandbox, limits });
    const clock = () => now;
    pool = new RuntimePool({ directory, launcher, limits, memoryBytes: 1e9, now: clock, onLine: () => undefined });
    reporter = new RuntimeStateReporter(pool, records, clock);
  });
  afterEach(() => sandbox.close());

  it('reports the memory of an instance as soon as it is ready', async () => {
    await use();
    await reporter.report();
    expect(records.instances).toEqual([[expect.objectContaining({ state: 'ready', memoryBytes: 30 * 1024 * 1024 })]]);
  });

  const use = async (version = 1) => (await pool.acquire({ deployId, version, scope: 'production' })).release();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (ms: number) => {
    now += ms;
    pool.sweep();
    await settle();
    await reporter.report();
  };

  it('reports each state of an app once', async () => {
    await use();
    await pass(0);
    await pass(0);
    await pass(RUNTIME_LIMITS.freezeAfterMs + 1);
    await pass(0);
    expect(records.states).toEqual([
      { appId: app, state: 'ready' },
      { appId: app, state: 'idle' },
    ]);
    expect(records.instances.map(([instance]) => instance?.state)).toEqual(['ready', 'frozen']);
  });

  it('reports a start, and the reason of a crash loop', async () => {
    sandbox.listensAtOnce = false;
    for (let crash = 0; crash < 3; crash += 1) {
      const attempt = use().catch(() => undefined);
      await settle();
      if (crash === 0) await pass(0);
      await sandbox.last.crash();
      await attempt;
    }
    await pass(0);
    expect(records.states).toEqual([
      { appId: app, state: 'starting' },
      { appId: app, state: 'crash-loop', reason: 'The server crashed: exit code 1.' },
    ]);
  });

  it('reports why new variables are not in use while the former ones still are', async () => {
    await use();
    await pass(0);
    directory.add(deployId, app, 2);
    sandbox.listensAtOnce = false;
    await use(2);
    await settle();
    await sandbox.last.crash();
    await settle();
    await pass(0);
    expect(records.states).toEqual([
      { appId: app, state: 'ready' },
      { appId: app, state: 'ready', reason: 'The restart failed: exit code 1. The former servers still run.' },
    ]);
  });

  it('repeats unchanged instances before they count as lost', async () => {
    const lease = await pool.acquire({ deployId, version: 1, scope: 'production' });
    await pass(0);
    await pass(5_000);
    await pass(5_000);
    expect(records.instances).toHaveLength(2);
    lease.release();
  });
});
