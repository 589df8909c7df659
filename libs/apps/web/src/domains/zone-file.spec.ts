import { describe, expect, it } from '@jest/globals';
import { RECORDS } from './testing/domain-fixtures';
import { zoneFile } from './zone-file';

describe('zoneFile', () => {
  it('quotes texts, and ends names with a dot', () => {
    const address = { ...RECORDS[1], type: 'A', value: '192.0.2.1' } as const;
    expect(zoneFile([...RECORDS, address])).toBe(
      '_homeport.www.acme.example. IN TXT "homeport-domain=3f2b8c1d9a7e4f60b5c2d8e1a4f70936"\n' +
        'www.acme.example. IN CNAME edge.example.\n' +
        'www.acme.example. IN A 192.0.2.1\n',
    );
  });
});
