import { describe, expect, it } from '@jest/globals';
import { type InstanceStart, observedLauncher } from './observed-launcher';

type Launch = Parameters<typeof observedLauncher>[0]['launch'];
type Launched = Awaited<ReturnType<Launch>>;

async function outcomesOf(launch: () => Promise<Pick<Launched, 'listening'>>): Promise<string[]> {
  const starts: InstanceStart[] = [];
  const launcher = observedLauncher({ launch: launch as unknown as Launch }, (start) => starts.push(start));
  const launched = await launcher.launch({} as never).catch(() => undefined);
  await launched?.listening.catch(() => undefined);
  return starts.map(({ outcome }) => outcome);
}

describe('observedLauncher', () => {
  it('reports when an instance listens', async () => {
    expect(await outcomesOf(async () => ({ listening: Promise.resolve() }))).toEqual(['success']);
  });

  it('reports an instance that exits before', async () => {
    expect(await outcomesOf(async () => ({ listening: Promise.reject(new Error('exit')) }))).toEqual(['failure']);
  });

  it('reports an instance that cannot be launched', async () => {
    expect(await outcomesOf(() => Promise.reject(new Error('no files')))).toEqual(['failure']);
  });
});
