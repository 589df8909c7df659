import type { FileEntry } from '@homeport/files/contracts';
import type { Draft } from '../drafts/draft';
import { type CacheEntry, NEVER_OPENED } from '../offline/eviction-policy';

/** Why a file is offered: it has unsaved changes, was opened on this device, or was modified. */
export type ContinueReason = 'draft' | 'opened' | 'modified';

/** A file that the user may want to continue with. */
export interface ContinueItem {
  readonly key: string;
  readonly reason: ContinueReason;
  /** RFC 3339. */
  readonly at: string;
}

export interface ContinueSources {
  readonly modified: readonly Pick<FileEntry, 'key' | 'modified_at'>[];
  readonly opened: readonly Pick<CacheEntry, 'key' | 'viewedAt'>[];
  /** Newest first. */
  readonly drafts: readonly Pick<Draft, 'key' | 'writtenAt'>[];
}

/**
 * Merges the sources into one item per file, newest first. A draft takes precedence, because it is unsaved; otherwise
 * the latest event counts.
 */
export function continueItems({ modified, opened, drafts }: ContinueSources): readonly ContinueItem[] {
  const items = new Map<string, ContinueItem>();
  const events: readonly ContinueItem[] = [
    ...modified.map(({ key, modified_at }) => ({ key, reason: 'modified' as const, at: modified_at })),
    ...opened
      .filter(({ viewedAt }) => viewedAt > NEVER_OPENED)
      .map(({ key, viewedAt }) => ({ key, reason: 'opened' as const, at: timestamp(viewedAt) })),
  ];
  for (const event of events) {
    const known = items.get(event.key);
    if (!known || isLater(event, known)) items.set(event.key, event);
  }
  // Oldest first, so that the newest draft of a file remains.
  for (const { key, writtenAt } of drafts.toReversed())
    items.set(key, { key, reason: 'draft', at: timestamp(writtenAt) });
  return [...items.values()].sort((one, other) => Number(isLater(other, one)) - Number(isLater(one, other)));
}

function isLater(one: ContinueItem, other: ContinueItem): boolean {
  return Date.parse(one.at) > Date.parse(other.at);
}

function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
