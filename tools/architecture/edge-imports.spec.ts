import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');
const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.base.json'), 'utf8')) as {
  compilerOptions: { paths: Record<string, [string]> };
};

/** The modules that a file loads at run time, as it names them. */
function loadedBy(file: string): string[] {
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024 },
  });
  return ts.preProcessFile(outputText).importedFiles.map(({ fileName }) => fileName);
}

/** The file of a relative import or of a library; undefined for a package. */
function fileOf(specifier: string, importer: string): string | undefined {
  if (!specifier.startsWith('.')) {
    const [door] = compilerOptions.paths[specifier] ?? [];
    return door && join(root, door);
  }
  const path = join(dirname(importer), specifier);
  return [`${path}.ts`, join(path, 'index.ts')].find((candidate) => existsSync(candidate));
}

/** All packages that a program loads, with its libraries. */
function packagesOf(program: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const files = new Set([join(root, program)]);
  for (const file of files) {
    for (const specifier of loadedBy(file)) {
      const found = fileOf(specifier, file);
      if (found === undefined) packages.add(specifier);
      else files.add(found);
    }
  }
  return packages;
}

describe.each(['edge', 'runtime'])('the %s', (program) => {
  it('loads neither Nest nor TypeORM nor decorator metadata', () => {
    const packages = [...packagesOf(`apps/${program}/src/start.ts`)];
    expect(packages).toContain('pg');
    expect(packages.filter((name) => /^@nestjs\/|^typeorm|^reflect-metadata|^fastify|^class-/.test(name))).toEqual([]);
  });
});

it('finds these libraries in a program that does load them', () => {
  expect([...packagesOf('apps/api/src/start.ts')]).toEqual(expect.arrayContaining(['@nestjs/common', 'typeorm']));
});
