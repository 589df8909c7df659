import { expect, it } from '@jest/globals';
import { deletionOutcome } from './deletion-outcome';

it.each([
  ['deleted', 'ok', /^Deleted Acme and its DNS record\.$/],
  ['dangling', 'warn', /^Deleted Acme\. Its DNS record is not removed yet/],
  [undefined, 'ok', /^Acme was deleted already\.$/],
] as const)('says what %s means', (dns, tone, words) => {
  const outcome = deletionOutcome('Acme', dns);
  expect(outcome.tone).toBe(tone);
  expect(outcome.words).toMatch(words);
});
