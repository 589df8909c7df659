import type { HttpProblem } from '@homeport/platform/web';

/** What a refusal says about the name, undefined when it is about something else. The code decides. */
export function nameErrorMessage(
  problem: Pick<HttpProblem, 'code' | 'detail' | 'errors'>,
  subdomain: string,
): string | undefined {
  switch (problem.code) {
    case 'apps.subdomain-taken':
      return $localize`${subdomain}:subdomain: is taken. Choose another name.`;
    case 'apps.subdomain-reserved':
      return $localize`${subdomain}:subdomain: is reserved. Choose another name.`;
    case 'apps.subdomain-invalid':
      return problem.detail;
    case 'platform.invalid-request':
      return problem.errors.find(({ field }) => field === 'name')?.reason;
    default:
      return undefined;
  }
}

/**
 * Whether the API keeps this answer and gives it to every repeat with the same key. Nothing was registered then, and
 * trying again means a new attempt; after anything else the first request may have done its work, or still do it.
 */
export function isFinalResponse({ code }: Pick<HttpProblem, 'code'>): boolean {
  return code.startsWith('apps.') || ['platform.idempotency-mismatch', 'platform.invalid-request'].includes(code);
}
