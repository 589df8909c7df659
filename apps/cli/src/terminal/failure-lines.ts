import type { Deploy } from '@homeport/api-client';

/** Why a deploy failed, and the last lines of a server that did not start. */
export function failureLines({ error }: Pick<Deploy, 'error'>): string[] {
  return error ? [`Error: ${error.message}`, ...(error.log ?? []).map((line) => `  ${line}`)] : [];
}
