import { type HttpProblem, translateServerText } from '@homeport/platform/web';
import { reservedMessage, takenMessage } from './address-fault';

/** The message about the name, selected by the error code; undefined when the problem is not about the name. */
export function nameErrorMessage(
  problem: Pick<HttpProblem, 'code' | 'detail' | 'errors'>,
  subdomain: string,
): string | undefined {
  switch (problem.code) {
    case 'apps.subdomain-taken':
      return takenMessage(subdomain);
    case 'apps.subdomain-reserved':
      return reservedMessage(subdomain);
    case 'apps.subdomain-invalid':
      return problem.detail;
    case 'platform.invalid-request':
      return nameReason(problem.errors);
    default:
      return undefined;
  }
}

function nameReason(errors: HttpProblem['errors']): string | undefined {
  const error = errors.find(({ field }) => field === 'name');
  return error && translateServerText(error.reason);
}

/**
 * Whether the API stores this response and repeats it for the same idempotency key. Then nothing was registered, and a
 * retry needs a new key. After any other error the first request may have succeeded or may still be running.
 */
export function isFinalResponse({ code }: Pick<HttpProblem, 'code'>): boolean {
  return code.startsWith('apps.') || ['platform.idempotency-mismatch', 'platform.invalid-request'].includes(code);
}
