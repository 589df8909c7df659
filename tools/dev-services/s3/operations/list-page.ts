import { afterAllWith, justAfter, rankOf } from '../storage/sorted-keys.ts';
import type { SortedKeys } from '../storage/sorted-keys.ts';

export interface ListRequest {
  readonly prefix: string;
  /** An empty string disables grouping. */
  readonly delimiter: string;
  /** The rank from which to list; see `justAfter`. */
  readonly position: string;
  readonly limit: number;
}

export interface ListPage {
  readonly keys: readonly string[];
  /** Common prefixes: each represents all keys that share it up to the delimiter. */
  readonly groups: readonly string[];
  /** Start of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** Lists one page of keys in UTF-8 order. The cost depends on the page length, not on the number of grouped keys. */
export function listPage(keys: SortedKeys, { prefix, delimiter, position, limit }: ListRequest): ListPage {
  const prefixRank = rankOf(prefix);
  const page = { keys: [] as string[], groups: [] as string[] };
  let from = position > prefixRank ? position : prefixRank;
  // A found group moves the position behind the group, so that its keys are never visited.
  for (let moved = true; moved;) {
    moved = false;
    for (const { rank, key } of keys.from(from)) {
      if (!rank.startsWith(prefixRank)) return { ...page, next: undefined };
      if (page.keys.length + page.groups.length >= limit) return { ...page, next: limit > 0 ? from : undefined };
      const group = groupOf(key, prefix, delimiter);
      if (group !== undefined) {
        page.groups.push(group);
        from = afterAllWith(rankOf(group));
        moved = true;
        break;
      }
      page.keys.push(key);
      from = justAfter(rank);
    }
  }
  return { ...page, next: undefined };
}

function groupOf(key: string, prefix: string, delimiter: string): string | undefined {
  const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : key.slice(0, end + delimiter.length);
}
