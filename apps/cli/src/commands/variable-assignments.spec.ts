import { describe, expect, it } from '@jest/globals';
import { parseAssignments } from './variable-assignments';

const read = async (name: string) => `read ${name}`;

describe('parseAssignments', () => {
  it('splits at the first equals sign, and reads the value of a name alone', async () => {
    expect(await parseAssignments(['A=1', 'B=x=y', 'C=', 'D'], read)).toEqual([
      ['A', '1'],
      ['B', 'x=y'],
      ['C', ''],
      ['D', 'read D'],
    ]);
  });

  it('rejects two names without values', async () => {
    await expect(parseAssignments(['A', 'B'], read)).rejects.toThrow('Only the value of one variable');
  });
});
