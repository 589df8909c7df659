import { errors } from 'oidc-provider';
import type { Problem } from './pages.ts';

export const EXPIRED: Problem = {
  title: 'This sign-in has expired',
  text: 'It was open for too long, or it was finished in another tab. Start the sign-in again.',
};

export const NOT_FOUND: Problem = {
  title: 'Page not found',
  text: 'This address belongs to the development identity service. Sign-in starts from the app.',
};

const UNEXPECTED: Problem = {
  title: 'Sign-in failed',
  text: 'The identity service failed unexpectedly. See its log for details.',
  code: 'server_error',
};

/** Describes `error` for a person; hides the details of an unexpected one. */
export function problemOf(error: unknown): Problem {
  if (error instanceof errors.SessionNotFound) return EXPIRED;
  if (error instanceof errors.OIDCProviderError && error.expose) {
    return {
      title: 'Invalid request',
      text: 'The app sent a request that the identity service does not accept.',
      code: error.error,
      detail: error.error_description,
    };
  }
  return UNEXPECTED;
}
