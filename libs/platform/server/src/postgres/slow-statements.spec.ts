import { describe, expect, it } from '@jest/globals';
import { SlowStatements } from './slow-statements';

describe('SlowStatements', () => {
  it('tolerates one slow statement, and rejects after two in a row', () => {
    const slow = new SlowStatements(() => 0);
    slow.record(2_000);
    expect(slow.rejectsNext()).toBe(false);
    slow.record(2_000);
    expect(slow.rejectsNext()).toBe(true);
  });

  it('starts again with a fast statement', () => {
    const slow = new SlowStatements(() => 0);
    for (const duration of [2_000, 5, 2_000]) slow.record(duration);
    expect(slow.rejectsNext()).toBe(false);
  });

  it('lets one statement a second try again, and ends with a fast one', () => {
    let now = 0;
    const slow = new SlowStatements(() => now);
    for (const duration of [2_000, 2_000]) slow.record(duration);
    now = 999;
    expect(slow.rejectsNext()).toBe(true);
    now = 1_000;
    expect([slow.rejectsNext(), slow.rejectsNext(), slow.isDetected]).toEqual([false, true, true]);
    now = 2_000;
    expect(slow.rejectsNext()).toBe(false);
    slow.record(5);
    expect([slow.rejectsNext(), slow.rejectsNext()]).toEqual([false, false]);
  });

  it('does not let a request whose statement was slow try with its next one', () => {
    let now = 0;
    const slow = new SlowStatements(() => now);
    for (const duration of [2_000, 2_000]) slow.record(duration);
    now = 1_000;
    expect(slow.rejectsNext()).toBe(false);
    now = 3_000;
    slow.record(2_000);
    expect(slow.rejectsNext()).toBe(true);
    now = 3_249;
    expect(slow.rejectsNext()).toBe(true);
    now = 3_250;
    expect(slow.rejectsNext()).toBe(false);
  });

  it('ignores slow statements that began before a fast one', () => {
    let now = 3_000;
    const slow = new SlowStatements(() => now);
    slow.record(5);
    now = 4_000;
    for (const duration of [2_000, 2_000, 2_000]) slow.record(duration);
    expect(slow.rejectsNext()).toBe(false);
    now = 6_000;
    for (const duration of [2_000, 2_000]) slow.record(duration);
    expect(slow.rejectsNext()).toBe(true);
  });
});
