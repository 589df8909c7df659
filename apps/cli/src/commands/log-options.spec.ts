import { describe, expect, it } from '@jest/globals';
import { parseSince } from './log-options';

const NOW = Date.parse('2026-11-23T12:00:00Z');

describe('parseSince', () => {
  it.each([
    ['30s', '2026-11-23T11:59:30.000Z'],
    ['10m', '2026-11-23T11:50:00.000Z'],
    ['2h', '2026-11-23T10:00:00.000Z'],
    ['7d', '2026-11-16T12:00:00.000Z'],
    ['2026-11-23T12:00:00+01:00', '2026-11-23T11:00:00.000Z'],
  ])('reads %s', (text, time) => expect(parseSince(text, NOW)).toBe(time));

  it.each(['', '10', 'm', '10 m', '-5m', 'yesterday', '2026-13-01T00:00:00Z', '1234567d'])('rejects "%s"', (text) => {
    expect(() => parseSince(text, NOW)).toThrow('is neither a time');
  });
});
