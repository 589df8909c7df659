// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { treeRows, treeStep } from './tree-rows';

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  '': ['reports', 'Archive', 'report 10', 'report 9', 'reports'],
  Archive: ['2025'],
  reports: ['q1', 'q2'],
};
const children = (path: string): readonly string[] => FOLDERS[path] ?? [];
const rowsWith = (...expanded: readonly string[]) =>
  treeRows({ children, isExpanded: (path) => expanded.includes(path) });

describe('treeRows', () => {
  it('lists the contents of expanded folders in the order of the names', () => {
    const rows = rowsWith('', 'reports');
    expect(rows.map(({ level, name, isExpanded }) => [level, name, isExpanded])).toEqual([
      [1, '', true],
      [2, 'Archive', false],
      [2, 'report 9', undefined],
      [2, 'report 10', undefined],
      [2, 'reports', true],
      [3, 'q1', undefined],
      [3, 'q2', undefined],
    ]);
    expect(rows[4]).toMatchObject({ path: 'reports', position: 4, siblings: 4 });
  });

  it('lists only the root when it is collapsed', () => {
    expect(rowsWith('reports')).toEqual([
      { path: '', name: '', level: 1, isExpanded: false, position: 1, siblings: 1 },
    ]);
  });
});

describe('treeStep', () => {
  const rows = rowsWith('', 'reports');

  it.each([
    ['ArrowDown', 0, { focus: 1 }],
    ['ArrowDown', 6, { focus: 6 }],
    ['ArrowUp', 0, { focus: 0 }],
    ['Home', 5, { focus: 0 }],
    ['End', 1, { focus: 6 }],
    ['ArrowRight', 1, { expand: 'Archive' }],
    ['ArrowRight', 4, { focus: 5 }],
    ['ArrowRight', 5, { focus: 5 }],
    ['ArrowLeft', 4, { collapse: 'reports' }],
    ['ArrowLeft', 6, { focus: 4 }],
    ['ArrowLeft', 1, { focus: 0 }],
    ['Enter', 1, undefined],
  ])('%s on row %i', (key, at, step) => {
    expect(treeStep(key, rows, at)).toEqual(step);
  });
});
