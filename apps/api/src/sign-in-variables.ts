import { list, text } from '@homeport/platform/server/config';
import { z } from 'zod';

/** Accepted signature algorithms. */
export const algorithms = list.refine(
  (names) => names.length > 0 && names.every((name) => /^((RS|PS|ES)(256|384|512)|EdDSA)$/.test(name)),
  'contains something other than EdDSA, or RS, PS or ES with 256, 384 or 512',
);

/** Scopes that sign-in requests, separated by spaces. */
export const scopes = text.refine(
  (value) => value.split(/\s+/).includes('openid'),
  'does not contain openid, which sign-in needs',
);

/** The choices of the sign-in page. */
export const providers = text.transform((value, context) => {
  const Providers = z.array(z.strictObject({ id: text, label: text, params: z.record(z.string(), z.string()) }));
  try {
    return Providers.parse(JSON.parse(value));
  } catch {
    context.addIssue('is not JSON of the form [{"id","label","params":{…}}]');
    return z.NEVER;
  }
});
