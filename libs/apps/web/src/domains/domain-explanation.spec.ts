import { describe, expect, it } from '@jest/globals';
import type { Domain } from '@homeport/apps/contracts';
import { domainExplanation } from './domain-explanation';
import { DOMAIN, RECORDS } from './testing/domain-fixtures';

const [ownership, routing] = RECORDS;
const SEEN = [{ server: 'ns1.example', answer: [] }];
const verified = { ownership: 'verified' } as const;

describe('domainExplanation', () => {
  it.each<[string, Partial<Domain>, RegExp, RegExp | undefined]>([
    ['nothing is found', {}, /^Waiting/, /^Create the records/],
    ['a record is wrong', { records: [ownership, { ...routing, state: 'wrong' }] }, /^Not all/, /^Fix/],
    [
      'a record is misplaced',
      { records: [{ ...ownership, seen: SEEN, hint: 'It is at …' }, routing] },
      /^Not all/,
      /^Fix/,
    ],
    [
      'no name server is found',
      { records: [{ ...ownership, hint: 'No name server …' }, routing] },
      /^Waiting/,
      /^Create/,
    ],
    ['a rival keeps its proof', { records: [{ ...ownership, state: 'found' }, routing] }, /another org/, /^Remove/],
    ['it leads nowhere', { ...verified, routing: 'unknown' }, /not known yet/, /^Create or fix/],
    ['it leads elsewhere', { ...verified, routing: 'elsewhere' }, /www\.acme\.example do not arrive/, /^Create or fix/],
    ['it partly leads elsewhere', { ...verified, routing: 'partly' }, /^Some visitors/, /^Create or fix/],
    ['the certificate is issued', { ...verified, routing: 'here' }, /being issued/, undefined],
    ['the certificate failed', { ...verified, routing: 'here', certificate: 'failed' }, /could not/, /CAA/],
    ['the proof is missing', { status: 'attention', ownership: 'failing' }, /still works/, /again\.$/],
    ['it is suspended', { status: 'suspended', ownership: 'failing' }, /Not found/, /30 days/],
    ['it works', { status: 'active' }, /see Shop\.$/, undefined],
    ['it redirects', { status: 'active', redirect_to: 'acme.example' }, /redirected to acme\.example/, undefined],
    ['it is a base domain', { status: 'active', kind: 'base', app_id: null }, /^All apps/, undefined],
    ['its app was deleted', { status: 'active', app_id: null }, /was deleted/, /another app/],
  ])('says what to do when %s', (_case, changes, words, next) => {
    const explanation = domainExplanation({ ...DOMAIN, ...changes }, 'Shop');
    expect(explanation.words).toMatch(words);
    if (next) expect(explanation.next).toMatch(next);
    else expect(explanation.next).toBeUndefined();
  });
});
