import { InvalidRequest } from '@homeport/kernel';

const ID = /^\d{1,18}$/;

/** @returns the id of the line after which a list continues. @throws {InvalidRequest} */
export function parseLineId(field: string, text: string): string {
  if (ID.test(text)) return text;
  throw new InvalidRequest('The position in the log is invalid.', [{ field, reason: 'It must be the id of a line.' }]);
}

/** Parses a time of RFC 3339. @throws {InvalidRequest} */
export function parseSince(text: string): Date {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i.test(text) ? new Date(text) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new InvalidRequest('The time is invalid.', [
    { field: 'since', reason: 'It must be a time of RFC 3339, such as 2026-11-23T12:00:00Z.' },
  ]);
}
