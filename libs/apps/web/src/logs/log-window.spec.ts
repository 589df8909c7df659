import type { LogLine } from '@homeport/apps/contracts';
import { describe, expect, it } from '@jest/globals';
import { appendLines, type LogWindow, MAX_LINES, openWindow, prependLines, showWaiting } from './log-window';

const line = (id: number) => ({ id: String(id) }) as LogLine;
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => line(from + index));
const range = ({ lines: all }: LogWindow) => [all[0]?.id, all.at(-1)?.id, all.length];

describe('a log window', () => {
  it('shows new lines once while it follows', () => {
    let window = openWindow(lines(8, 9), true);
    window = appendLines(window, lines(9, 10), true);
    expect(range(window)).toEqual(['8', '10', 3]);
    expect(appendLines(window, lines(8, 10), true)).toBe(window);
    expect(window.lastId).toBe('10');
  });

  it('accepts all lines when it is empty', () => {
    expect(range(appendLines(openWindow([], false), lines(1, 2), true))).toEqual(['1', '2', 2]);
  });

  it('holds new lines back while the person reads, then shows them', () => {
    const paused = appendLines(appendLines(openWindow(lines(1, 3), false), lines(4, 5), false), lines(6, 6), false);
    expect([range(paused), paused.waitingCount]).toEqual([['1', '3', 3], 3]);
    const shown = showWaiting(paused);
    expect([range(shown), shown.waitingCount, shown.hasOlder]).toEqual([['1', '6', 6], 0, false]);
    expect(showWaiting(shown)).toBe(shown);
  });

  it('drops the oldest lines when it follows and is full', () => {
    const window = appendLines(openWindow(lines(1, MAX_LINES), false), lines(MAX_LINES + 1, MAX_LINES + 2), true);
    expect([range(window), window.hasOlder]).toEqual([['3', String(MAX_LINES + 2), MAX_LINES], true]);
  });

  it('is cut when more lines wait than it can hold, and still counts them', () => {
    let window = appendLines(openWindow(lines(1, 2), false), lines(3, MAX_LINES + 3), false);
    expect([window.isCut, window.waiting.length, window.waitingCount]).toEqual([true, 0, MAX_LINES + 1]);
    window = appendLines(window, lines(MAX_LINES + 4, MAX_LINES + 4), true);
    expect([range(window), window.waitingCount]).toEqual([['1', '2', 2], MAX_LINES + 2]);
  });

  it('makes room for older lines at its end', () => {
    const first = prependLines(openWindow(lines(100, 101), true), lines(98, 99), true);
    expect([range(first), first.hasOlder, first.isCut]).toEqual([['98', '101', 4], true, false]);
    const full = prependLines(openWindow(lines(11, MAX_LINES + 10), true), lines(1, 10), false);
    expect([range(full), full.hasOlder, full.isCut, full.waitingCount]).toEqual([
      ['1', String(MAX_LINES), MAX_LINES],
      false,
      true,
      10,
    ]);
  });
});
