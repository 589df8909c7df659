import { joinPath, nameOf, parentOf } from '../../tree/display-path';

/** A visible folder of the tree. */
export interface TreeRow {
  /** The display path; empty for the root. */
  readonly path: string;
  readonly name: string;
  /** 1 for the root. */
  readonly level: number;
  /** Undefined for a folder without folders in it. */
  readonly isExpanded: boolean | undefined;
  /** Among the folders of the same parent, from 1. */
  readonly position: number;
  readonly siblings: number;
}

export interface TreeSource {
  /** The names of the folders in a folder, in the order to show. */
  readonly children: (path: string) => readonly string[];
  readonly hasChildren: (path: string) => boolean;
  readonly isExpanded: (path: string) => boolean;
}

/** The visible folders from top to bottom: the root, and the contents of expanded folders. */
export function treeRows({ children, hasChildren, isExpanded }: TreeSource): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (path: string, place: Pick<TreeRow, 'level' | 'position' | 'siblings'>): void => {
    const isOpen = isExpanded(path);
    rows.push({
      path,
      name: nameOf(path),
      ...place,
      // Read only for the rendered rows: a level can have thousands of folders.
      get isExpanded() {
        return hasChildren(path) ? isOpen : undefined;
      },
    });
    const names = isOpen ? children(path) : [];
    names.forEach((name, index) =>
      add(joinPath(path, name), { level: place.level + 1, position: index + 1, siblings: names.length }),
    );
  };
  add('', { level: 1, position: 1, siblings: 1 });
  return rows;
}

/** What a key does in the tree. */
export type TreeStep =
  { readonly focus: number } | { readonly expand: string } | { readonly collapse: string } | undefined;

/** The step of a key, as in the ARIA pattern for trees; undefined for other keys. */
export function treeStep(key: string, rows: readonly TreeRow[], at: number): TreeStep {
  const row = rows[at];
  if (!row) return undefined;
  switch (key) {
    case 'ArrowDown':
      return { focus: Math.min(rows.length - 1, at + 1) };
    case 'ArrowUp':
      return { focus: Math.max(0, at - 1) };
    case 'Home':
      return { focus: 0 };
    case 'End':
      return { focus: rows.length - 1 };
    case 'ArrowRight':
      if (row.isExpanded === false) return { expand: row.path };
      return { focus: row.isExpanded ? at + 1 : at };
    case 'ArrowLeft':
      if (row.isExpanded) return { collapse: row.path };
      return { focus: row.level === 1 ? at : rows.findIndex(({ path }) => path === parentOf(row.path)) };
    default:
      return undefined;
  }
}
