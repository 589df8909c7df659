import { errors } from 'oidc-provider';
import type { Problem } from './pages.ts';

export const EXPIRED: Problem = {
  title: 'This sign-in has expired',
  text: 'It was open for too long, or it was finished in another tab. Nothing is wrong: start it again.',
};

export const NOT_FOUND: Problem = {
  title: 'There is no page here',
  text: 'This address belongs to the development identity service. Sign-in starts from the app.',
};

const UNEXPECTED: Problem = {
  title: 'Sign-in did not work',
  text: 'The identity service met an unexpected error. Its log has the details.',
  code: 'server_error',
};

/** What a person is told about `error`; nothing of an unexpected one is shown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof errors.SessionNotFound) return EXPIRED;
  if (error instanceof errors.OIDCProviderError && error.expose) {
    return {
      title: 'This request cannot be answered',
      text: 'The app asked for something the identity service does not accept.',
      code: error.error,
      detail: error.error_description,
    };
  }
  return UNEXPECTED;
}
