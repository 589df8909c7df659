import { describe, expect, it } from '@jest/globals';
import { SlowStatements } from './slow-statements';

describe('SlowStatements', () => {
  it('tolerates one slow statement, and rejects after two in a row', () => {
    const slow = new SlowStatements(() => 0);
    slow.record(2_000);
    expect(slow.areRejected).toBe(false);
    slow.record(2_000);
    expect(slow.areRejected).toBe(true);
  });

  it('starts again with a fast statement', () => {
    const slow = new SlowStatements(() => 0);
    for (const duration of [2_000, 5, 2_000]) slow.record(duration);
    expect(slow.areRejected).toBe(false);
  });

  it('lets statements try again soon, and rejects again when they are slow', () => {
    let now = 0;
    const slow = new SlowStatements(() => now);
    for (const duration of [2_000, 2_000]) slow.record(duration);
    now = 499;
    expect(slow.areRejected).toBe(true);
    now = 500;
    expect(slow.areRejected).toBe(false);
    slow.record(2_000);
    expect(slow.areRejected).toBe(true);
    slow.record(5);
    expect(slow.areRejected).toBe(false);
  });
});
