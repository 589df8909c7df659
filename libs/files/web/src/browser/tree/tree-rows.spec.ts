// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { SortedFiles } from '../../tree/sorted-files';
import { TreeLevels } from './tree-levels';
import { treeRows, treeStep } from './tree-rows';

const levels = new TreeLevels(
  SortedFiles.of(
    ['Archive/2025/a', 'report 10/a', 'report 9/a', 'reports/q1/a', 'reports/q2/a', 'workspace/reports/q1/b'].map(
      (key) => ({
        ...{ key, size: 1, etag: '"1"', modified_at: '' },
      }),
    ),
  ),
);
const rowsWith = (...expanded: readonly string[]) =>
  treeRows({
    children: (path) => levels.children(path),
    hasChildren: (path) => levels.hasChildren(path),
    isExpanded: (path) => expanded.includes(path),
  });

describe(TreeLevels.name, () => {
  it('adds folders that the index does not have in their place', () => {
    expect(levels.children('reports', ['q10', 'q2'])).toEqual(['q1', 'q2', 'q10']);
    expect(levels.children('none', ['new'])).toEqual(['new']);
    expect([levels.hasChildren('reports'), levels.hasChildren('report 9')]).toEqual([true, false]);
  });
});

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
