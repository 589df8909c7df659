import { httpUrl } from '@homeport/platform/server/config';
import { isSecureUrl } from '@homeport/kernel';

/** `fetch` rejects an address with credentials. */
export const httpUrlWithoutCredentials = httpUrl.refine((value) => {
  if (!URL.canParse(value)) return true;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}, 'contains credentials: remove them');

/** Tokens and keys are sent to these URLs, so plain http is allowed only on the same machine. */
export const secureUrl = httpUrlWithoutCredentials.refine(
  (value) => !httpUrl.safeParse(value).success || isSecureUrl(new URL(value)),
  'is neither https nor http on this machine',
);
