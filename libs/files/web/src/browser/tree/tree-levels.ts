import { childDirectories } from '../../tree/child-directories';
import { compareNames, CollatedName } from '../../tree/name-collation';
import type { SortedFiles } from '../../tree/sorted-files';

/** The folders of each level, from the index. Each level is read and sorted once. */
export class TreeLevels {
  readonly #levels = new Map<string, ReadonlySet<string>>();

  constructor(private readonly files: SortedFiles) {}

  /**
   * The names of the folders in a folder, sorted.
   * @param others names that the index may not have.
   */
  children(path: string, others: readonly string[] = []): readonly string[] {
    const known = this.#level(path);
    const added = others.filter((name) => !known.has(name));
    return added.length === 0 ? [...known] : sorted([...known, ...added]);
  }

  hasChildren(path: string): boolean {
    return !childDirectories(this.files, path).next().done;
  }

  #level(path: string): ReadonlySet<string> {
    const known = this.#levels.get(path);
    if (known) return known;
    const names = new Set(sorted([...new Set(childDirectories(this.files, path))]));
    this.#levels.set(path, names);
    return names;
  }
}

function sorted(names: readonly string[]): readonly string[] {
  return names
    .map((name) => new CollatedName(name))
    .sort(compareNames)
    .map(({ name }) => name);
}
