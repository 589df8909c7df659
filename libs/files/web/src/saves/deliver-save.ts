import { asHttpProblem, type HttpProblem } from '@homeport/platform/web';
import type { WriteCondition } from '../client/files-client';
import { conditionOf, type QueuedSave } from './queued-save';

/** The result of an attempt to send a queued save. `later`: the next attempt may succeed. */
export type Delivery =
  | { readonly kind: 'sent'; readonly etag: string }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused' | 'later'; readonly problem: HttpProblem };

/** The stored text of a file; undefined when the file does not exist or is not an editable text. */
export type StoredVersion = { readonly exact: string; readonly etag: string } | undefined;

export interface DeliveryTarget {
  /** Writes the text. @throws {HttpProblem} with 412 when the condition does not hold. */
  put(save: QueuedSave, condition: WriteCondition): Promise<{ readonly etag: string }>;
  read(key: string): Promise<StoredVersion>;
}

/** Responses after which the same request may succeed. */
const TEMPORARY: readonly number[] = [0, 401, 408, 425, 429];

/**
 * Sends a queued save with its condition. An earlier request may have been stored although its response was lost, so a
 * failed condition is a conflict only when the server has a text that this device did not send.
 */
export async function deliverSave(save: QueuedSave, target: DeliveryTarget): Promise<Delivery> {
  const sent = await attempt(save, target, conditionOf(save));
  if (sent.kind !== 'conflict') return sent;
  let stored: StoredVersion;
  try {
    stored = await target.read(save.key);
  } catch (error) {
    return { kind: 'later', problem: asHttpProblem(error) };
  }
  if (stored?.exact === save.text) return { kind: 'sent', etag: stored.etag };
  if (!stored || !save.attempted.includes(stored.exact)) return sent;
  return attempt(save, target, { ifMatch: stored.etag });
}

async function attempt(save: QueuedSave, target: DeliveryTarget, condition: WriteCondition): Promise<Delivery> {
  try {
    const { etag } = await target.put(save, condition);
    return { kind: 'sent', etag };
  } catch (error) {
    const problem = asHttpProblem(error);
    if (problem.status === 412) return { kind: 'conflict' };
    const isTemporary = TEMPORARY.includes(problem.status) || problem.status >= 500;
    return { kind: isTemporary ? 'later' : 'refused', problem };
  }
}
