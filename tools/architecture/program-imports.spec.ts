import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { transformFileSync } from '@swc/core';
import ts from 'typescript';
import { swcOptions } from '../build/swc-options.mjs';

const root = resolve(import.meta.dirname, '../..');
const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.base.json'), 'utf8')) as {
  compilerOptions: { paths: Record<string, [string]> };
};

/** Without aliases, so that imports keep their names. */
const swcOptionsOfBuild = { ...swcOptions, jsc: { ...swcOptions.jsc, baseUrl: undefined, paths: undefined } };
const known = new Map<string, readonly string[]>();

/** The modules that a file loads at run time, as it names them. */
function loadedBy(file: string): readonly string[] {
  const found = known.get(file) ?? importsOf(transformFileSync(file, swcOptionsOfBuild).code);
  known.set(file, found);
  return found;
}

function importsOf(code: string): string[] {
  return ts.preProcessFile(code).importedFiles.map(({ fileName }) => fileName);
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

const FRAMEWORKS = /^@nestjs\/|^fastify|^passport/;
const DATABASE = /^typeorm|^reflect-metadata|^class-/;

describe.each(['edge', 'runtime'])('the %s', (program) => {
  it('loads neither Nest nor TypeORM nor decorator metadata', () => {
    const packages = [...packagesOf(`apps/${program}/src/start.ts`)];
    expect(packages).toContain('pg');
    expect(packages.filter((name) => FRAMEWORKS.test(name) || DATABASE.test(name))).toEqual([]);
  });
});

it('finds these libraries in a program that does load them', () => {
  expect([...packagesOf('apps/api/src/start.ts')]).toEqual(expect.arrayContaining(['@nestjs/common', 'typeorm']));
});

it.each(['charges/run', 'doctor/run', 'publish/run', 'reseal/run', 'verify/run'])(
  'the command %s loads the database without Nest',
  (command) => {
    const packages = [...packagesOf(`apps/api/src/${command}.ts`)];
    expect(packages).toContain('typeorm');
    expect(packages.filter((name) => FRAMEWORKS.test(name))).toEqual([]);
  },
);

it('the configuration of the API loads one package', () => {
  expect([...packagesOf('apps/api/src/config.ts')].filter((name) => !isBuiltin(name))).toEqual(['zod']);
});
