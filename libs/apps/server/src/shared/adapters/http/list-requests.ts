import { InvalidRequest } from '@homeport/kernel';
import type { ListRequest } from '../../application/list-request';

/** The maximum number of entries on one page of a list. */
export const MAX_PAGE_SIZE = 1_000;

/** @throws {InvalidRequest} */
export function parseListRequest({ limit, cursor }: Readonly<Record<string, string>>): ListRequest {
  return {
    ...(limit !== undefined && { limit: parseLimit(limit) }),
    ...(cursor !== undefined && { cursor }),
  };
}

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_PAGE_SIZE) return limit;
  throw new InvalidRequest('The limit is invalid.', [
    { field: 'limit', reason: `It must be a whole number from 1 to ${MAX_PAGE_SIZE}.` },
  ]);
}
