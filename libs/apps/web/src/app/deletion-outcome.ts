import type { AppDeletion } from '@homeport/apps/contracts';

export interface DeletionOutcome {
  readonly words: string;
  readonly tone: 'ok' | 'warn';
}

/** What became of an app and its record. @param dns undefined when the app was gone before. */
export function deletionOutcome(name: string, dns: AppDeletion['dns'] | undefined): DeletionOutcome {
  if (dns === undefined) return { words: $localize`${name}:name: was deleted already.`, tone: 'ok' };
  if (dns === 'deleted') return { words: $localize`Deleted ${name}:name: and its DNS record.`, tone: 'ok' };
  const words = $localize`Deleted ${name}:name:. Its DNS record could not be removed yet; that is tried again until it is gone.`;
  return { words, tone: 'warn' };
}
