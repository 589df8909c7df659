import type { AppDeletion } from '@homeport/apps/contracts';

export interface DeletionOutcome {
  readonly words: string;
  readonly tone: 'ok' | 'warn';
}

/**
 * The message shown after an app was deleted.
 *
 * @param dns undefined when the app was already deleted.
 */
export function deletionOutcome(name: string, dns: AppDeletion['dns'] | undefined): DeletionOutcome {
  if (dns === undefined) return { words: $localize`${name}:name: was deleted already.`, tone: 'ok' };
  if (dns === 'deleted') return { words: $localize`Deleted ${name}:name: and its DNS record.`, tone: 'ok' };
  const words = $localize`Deleted ${name}:name:. Its DNS record is not removed yet; the removal is retried automatically.`;
  return { words, tone: 'warn' };
}
