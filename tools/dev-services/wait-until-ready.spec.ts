import { describe, expect, it } from '@jest/globals';
import { waitUntilReady } from './wait-until-ready.ts';

const options = {
  tries: 3,
  pauseMilliseconds: 0,
  died: new Promise<Error>(() => undefined),
  late: () => new Error('late'),
};

describe('waitUntilReady', () => {
  it('probes until the process is ready', async () => {
    let probes = 0;
    await waitUntilReady(async () => (probes += 1) === 3, options);
    expect(probes).toBe(3);
  });

  it('rejects when the process is not ready in time', async () => {
    await expect(waitUntilReady(async () => false, options)).rejects.toThrow('late');
  });

  it('rejects when the process exits', async () => {
    const died = Promise.resolve(new Error('exited'));
    await expect(waitUntilReady(() => new Promise(() => undefined), { ...options, died })).rejects.toThrow('exited');
  });
});
