import { describe, expect, it } from '@jest/globals';
import { INSTANCE_STATES, mayBecome } from './instance-state';

describe('mayBecome', () => {
  it('allows exactly these changes', () => {
    const allowed = INSTANCE_STATES.flatMap((from) =>
      INSTANCE_STATES.filter((to) => mayBecome(from, to)).map((to) => `${from} → ${to}`),
    );
    expect(allowed).toEqual([
      'launching → ready',
      'launching → draining',
      'launching → crashed',
      'ready → frozen',
      'ready → draining',
      'ready → crashed',
      'frozen → ready',
      'frozen → draining',
      'frozen → crashed',
      'draining → stopped',
      'draining → crashed',
    ]);
  });
});
