import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { combinedSignal } from './combined-signal';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('combinedSignal', () => {
  it.each([0, 1])('is aborted with signal %i and its reason', (at) => {
    const controllers = [new AbortController(), new AbortController()];
    const signal = combinedSignal(...controllers.map((each) => each.signal));
    expect(signal.aborted).toBe(false);
    const reason = new Error('too slow');
    controllers[at]?.abort(reason);
    controllers[1 - at]?.abort(new Error('later'));
    expect([signal.aborted, signal.reason]).toEqual([true, reason]);
  });

  it('is aborted from the start when one of them is', () => {
    const reason = new Error('before');
    const signal = combinedSignal(new AbortController().signal, AbortSignal.abort(reason));
    expect([signal.aborted, signal.reason]).toEqual([true, reason]);
  });

  it('ends with its last reference although it has a listener', async () => {
    const references = Array.from({ length: 10 }, () => {
      const signal = combinedSignal(new AbortController().signal, new AbortController().signal);
      signal.addEventListener('abort', () => signal.throwIfAborted());
      return new WeakRef(signal);
    });
    // A reference of this turn would keep them.
    await new Promise(setImmediate);
    collectGarbage();
    expect(references.filter((each) => each.deref() !== undefined)).toEqual([]);
  });
});
