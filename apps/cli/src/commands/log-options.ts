import { UsageError } from '../cli.errors';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses the value of `--since`: a time of RFC 3339, or a duration before now.
 * @param now milliseconds since the epoch.
 * @returns a time of RFC 3339. @throws {UsageError}
 */
export function parseSince(text: string, now: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * (UNITS[unit] ?? 0)).toISOString();
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new UsageError(
    `"${text}" is neither a time such as 2026-11-23T12:00:00Z nor a duration such as 10m, 2h or 7d.`,
  );
}
