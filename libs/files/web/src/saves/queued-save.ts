import type { StoredText } from '../editor/text-encoding';
import type { WriteCondition } from '../client/files-client';

/** A saved text that waits on this device to be sent. There is at most one for each file. */
export interface QueuedSave {
  /** The key of the file. */
  readonly key: string;
  /** Changes each time the text is replaced. */
  readonly revision: string;
  readonly text: string;
  readonly encoding: StoredText['encoding'];
  readonly marked: boolean;
  /** The stored type of the file; a new file has none. */
  readonly contentType?: string;
  /** The ETag that the stored file must still have; absent when no file may exist. */
  readonly base?: string;
  /** The texts of requests without a response: the server may have stored one of them. */
  readonly attempted: readonly string[];
  /** Milliseconds since the epoch. */
  readonly queuedAt: number;
}

/** A text to queue, with the condition of its save. */
export interface SaveRequest {
  readonly key: string;
  readonly text: StoredText;
  readonly condition: WriteCondition;
  readonly contentType: string | undefined;
}

/** How many texts of requests without a response are kept. */
const MAX_ATTEMPTED = 4;
/** Server ETags begin with a quotation mark or `W/`. */
const PREFIX = 'queued:';

/** The ETag of a queued save, which an editor uses like the ETag of a stored file. */
export function queuedEtag({ revision }: Pick<QueuedSave, 'revision'>): string {
  return PREFIX + revision;
}

export function isQueuedEtag(etag: string | undefined): boolean {
  return etag?.startsWith(PREFIX) === true;
}

/**
 * Replaces the queued save of a file by one that was edited from it; the condition of the first save stays.
 * @returns `conflict` when the text was edited from another version than the queued one.
 */
export function replaceQueued(
  current: QueuedSave | undefined,
  { key, text, condition, contentType }: SaveRequest,
  { revision, queuedAt }: Pick<QueuedSave, 'revision' | 'queuedAt'>,
): QueuedSave | 'conflict' {
  const editedFrom = isQueuedEtag(condition.ifMatch) ? condition.ifMatch : undefined;
  if ((current && queuedEtag(current)) !== editedFrom) return 'conflict';
  const base = current ? current.base : condition.ifMatch;
  // The first save was sent before it was queued.
  const attempted = current ? current.attempted : [text.exact];
  return {
    ...{ key, revision, queuedAt, attempted, text: text.exact, encoding: text.encoding, marked: text.marked },
    ...(contentType !== undefined && { contentType }),
    ...(base !== undefined && { base }),
  };
}

/** The queue entry after a revision was stored; undefined when no later revision has replaced it. */
export function afterSent(current: QueuedSave | undefined, revision: string, etag: string): QueuedSave | undefined {
  if (!current || current.revision === revision) return undefined;
  return { ...current, base: etag, attempted: [] };
}

/** The queue entry before it is sent: its text may arrive without a response. */
export function beforeSending(current: QueuedSave): QueuedSave {
  if (current.attempted.includes(current.text)) return current;
  return { ...current, attempted: [...current.attempted, current.text].slice(-MAX_ATTEMPTED) };
}

/** The condition of the request that sends a queued save. */
export function conditionOf({ base }: Pick<QueuedSave, 'base'>): WriteCondition {
  return base === undefined ? { ifAbsent: true } : { ifMatch: base };
}
