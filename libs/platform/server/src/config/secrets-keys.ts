import { z } from 'zod';
import { parseSecretKey, type SecretKey } from '../secrets';
import { list } from './variables';

/** The keys that seal the variables of apps, newest first. */
export const secretsKeys = list.transform((texts, context): readonly SecretKey[] => {
  const keys = texts.map(parseSecretKey).filter((key) => key !== undefined);
  const areDistinct = new Set(keys.map(({ id }) => id)).size === keys.length;
  if (keys.length > 0 && keys.length === texts.length && areDistinct) return keys;
  context.addIssue('is not a list of distinct ids with base64 keys of 32 bytes each, such as 2026:AAAA…=');
  return z.NEVER;
});
