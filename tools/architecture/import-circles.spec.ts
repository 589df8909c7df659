import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');
const SOURCES = [
  'apps/*/src/**/*.ts',
  'libs/kernel/src/**/*.ts',
  'libs/api-client/src/*.ts',
  'libs/*/{contracts,server,web}/src/**/*.ts',
  'tools/**/*.ts',
];

type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The files that a file imports by a relative path: static and dynamic imports, values and types. */
function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
  return importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return [];
    const path = join(root, dirname(file), fileName);
    const found = [path, `${path}.ts`, join(path, 'index.ts')].find((each) => each.endsWith('.ts') && existsSync(each));
    return found === undefined ? [] : [relative(root, found)];
  });
}

/** @returns one circle for each group of files that import each other, as a path that ends where it begins. */
function circlesIn(graph: ImportGraph): string[][] {
  const circles: string[][] = [];
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file]);
    if (start >= 0 || finished.has(file)) return;
    for (const imported of graph.get(file) ?? []) visit(imported, [...path, file]);
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

describe('the imports between files', () => {
  it('have no circles', () => {
    const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }));
    const graph = new Map(files.map((file) => [file, importsOf(file)]));
    expect(graph.size).toBeGreaterThan(900);
    expect([...graph.values()].flat().length).toBeGreaterThan(2_000);
    expect(circlesIn(graph)).toEqual([]);
  });

  it('are followed in every syntax', () => {
    const renderers = 'libs/files/web/src/viewer/file-renderers.ts';
    expect(importsOf('libs/files/web/src/viewer/file-viewer.ts')).toContain(renderers);
    expect(importsOf(renderers)).toEqual(
      expect.arrayContaining([
        'libs/files/web/src/viewer/shown-file.ts',
        'libs/files/web/src/viewer/text/text-view.ts',
      ]),
    );
  });

  it.each([
    [{ a: ['b'], b: ['a'] }, [['a', 'b', 'a']]],
    [{ a: ['b'], b: ['c'], c: ['b'] }, [['b', 'c', 'b']]],
    [{ a: ['a'] }, [['a', 'a']]],
    [{ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ])('are searched for circles: %j', (graph, circles) => {
    expect(circlesIn(new Map(Object.entries(graph)))).toEqual(circles);
  });
});
