import { list } from '@homeport/platform/server/config';
import { z } from 'zod';
import { secureUrl } from './secure-url';

/** Keys of 32 bytes, newest first. */
export const base64Keys = list.transform((keys, context) => {
  const decoded = keys.map((key) => Buffer.from(key, 'base64'));
  if (decoded.length > 0 && decoded.every((key) => key.length === 32)) return decoded;
  context.addIssue('is not a list of base64 keys of 32 bytes each');
  return z.NEVER;
});

/** The variables of notices to people outside of Homeport. Use them with `NOTICE_PAIR_CHECK`. */
export const NOTICE_VARIABLES = {
  USAGE_NOTICES_URL: secureUrl.optional(),
  USAGE_NOTICES_KEYS: base64Keys.optional(),
};

type NoticeVariables = z.infer<z.ZodObject<typeof NOTICE_VARIABLES>>;

/** Checks that the webhook has an address and keys, or neither. */
export const NOTICE_PAIR_CHECK = z.refine<NoticeVariables>(
  ({ USAGE_NOTICES_URL: url, USAGE_NOTICES_KEYS: keys }) => (url === undefined) === (keys === undefined),
  {
    path: ['USAGE_NOTICES_KEYS'],
    error: 'and USAGE_NOTICES_URL go together: set both or neither',
    // Runs when other variables are invalid too, so that all errors are reported at once.
    when: () => true,
  },
);
