import { describe, expect, it } from '@jest/globals';
import { blobKey } from './blob-key';

const DIGEST = 'ab'.repeat(32);
const ID = '0198a9d2-3b1c-7e4f-8a5b-6c7d8e9f0a1b';

describe('blobKey', () => {
  it('contains the organization as a hash, the digest and the id', () => {
    expect(blobKey('northwind', DIGEST, ID)).toBe(`sites/hOLNt6Fm0WcbxeKrweeLWXd90fhj08WwXQnC3QiERMI/${DIGEST}/${ID}`);
    expect(blobKey('../globex', DIGEST, ID)).toMatch(/^sites\/[\w-]{43}\//);
    expect(blobKey('globex', DIGEST, ID)).not.toBe(blobKey('northwind', DIGEST, ID));
  });

  it.each([
    ['', ID],
    [DIGEST.toUpperCase(), ID],
    [DIGEST.slice(1), ID],
    [DIGEST, ''],
    [DIGEST, `${ID}.br`],
    [DIGEST, '../../elsewhere'],
  ])('rejects the digest "%s" with the id "%s"', (digest, id) => {
    expect(() => blobKey('northwind', digest, id)).toThrow('A blob needs');
  });
});
