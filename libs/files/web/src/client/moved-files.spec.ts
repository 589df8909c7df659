import { describe, expect, it } from '@jest/globals';
import { rememberMoved, withoutMoved } from './moved-files';

function storageWith(items = new Map<string, string>()) {
  return () => ({
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  });
}

const [moved, other] = [
  { key: 'b/moved.md', etag: '"1"' },
  { key: 'b/other.md', etag: '"2"' },
];

describe('moved files', () => {
  it('are left out of the recently modified ones until they are modified', () => {
    const storage = storageWith();
    rememberMoved([moved], storage);
    const modified = { ...moved, etag: '"3"' };
    expect(withoutMoved([moved, other, modified], storage)).toEqual([other, modified]);
  });

  it('are remembered over several moves, the newest ones', () => {
    const storage = storageWith();
    for (let at = 0; at < 3; at++)
      rememberMoved(
        Array.from({ length: 100 }, (_, index) => ({ key: `${at}/${index}`, etag: '"1"' })),
        storage,
      );
    const keys = ['0/99', '1/0', '2/99'].map((key) => ({ key, etag: '"1"' }));
    expect(withoutMoved(keys, storage).map(({ key }) => key)).toEqual(['0/99']);
  });

  it('count as modified when the browser blocks storage', () => {
    const blocked = () => {
      throw new Error('blocked');
    };
    rememberMoved([moved], blocked);
    expect(withoutMoved([moved], blocked)).toEqual([moved]);
    expect(withoutMoved([moved], storageWith(new Map([['homeport.moved', '{']])))).toEqual([moved]);
  });
});
