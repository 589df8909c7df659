import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { bubblewrapHere } from '../../../testing/bubblewrap-here';
import { pooledRuntimeContract } from '../../../testing/runtime/pooled-runtime.contract';
import { runtimeContract } from '../../../testing/runtime/runtime.contract';
import type { RuntimeContext } from '../../../testing/runtime/running-runtime';
import { InstanceLauncher } from '../../application/instance-launcher';
import type { Sandbox } from '../../application/sandbox.port';
import { BareSandbox } from '../../sandbox/bare-sandbox';
import { BubblewrapSandbox } from '../../sandbox/bubblewrap-sandbox';
import { PooledRuntime } from './pooled-runtime';

let runDirectory: string;
beforeAll(async () => {
  runDirectory = await mkdtemp(join(tmpdir(), 'hp-run-'));
  await chmod(runDirectory, 0o711);
});
afterAll(() => rm(runDirectory, { recursive: true, force: true }));

function contractsOf(name: string, createSandbox: () => Sandbox): void {
  const createRuntime = (context: RuntimeContext) => {
    const sandbox = createSandbox();
    const launcher = new InstanceLauncher({ ...context, sandbox });
    return new PooledRuntime({ ...context, sandbox, launcher, memoryBytes: 1024 ** 3 });
  };
  runtimeContract(`PooledRuntime with ${name}`, createRuntime);
  pooledRuntimeContract(name, createRuntime);
}

contractsOf('BareSandbox', () => new BareSandbox({ runDirectory, node: process.execPath }));

const withBubblewrap = (await bubblewrapHere()) ? describe : describe.skip;

withBubblewrap('where bubblewrap is installed', () => {
  let sandbox: BubblewrapSandbox;
  beforeAll(async () => void (sandbox = await BubblewrapSandbox.open({ runDirectory, node: process.execPath })));

  contractsOf('BubblewrapSandbox', () => sandbox);
});
