import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** What the production image compiles and runs. */
const SHIPPED = [
  'apps/{api,edge}/src/**/*.ts',
  'libs/*/server/src/**/*.{ts,mjs}',
  'libs/*/contracts/src/**/*.ts',
  'libs/kernel/src/**/*.ts',
];
const NOT_SHIPPED = /\.(spec|contract)\.ts$|\/testing\//;

/** Packages that no line of ours imports, and who loads them. */
const LOADED_BY_OTHERS = [
  { name: 'class-transformer', by: '@nestjs/common' },
  { name: 'hono', by: '@hono/node-server' },
  { name: 'passport', by: '@nestjs/passport' },
  { name: 'rxjs', by: '@nestjs/core' },
];

function readPackage(path: string): Package {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Package;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** The packages a source text imports in any way: static, dynamic, for types only. */
function packagesIn(code: string): string[] {
  return ts
    .preProcessFile(code)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((specifier) => !/^(\.|node:|@homeport\/)/.test(specifier) && !builtinModules.includes(specifier))
    .map(packageOf);
}

describe('package.json', () => {
  const { dependencies, devDependencies } = readPackage('.');
  const files = SHIPPED.flatMap((pattern) => globSync(pattern, { cwd: root })).filter(
    (file) => !NOT_SHIPPED.test(file),
  );
  const imported = new Set(files.flatMap((file) => packagesIn(readFileSync(join(root, file), 'utf8'))));

  it('is compared with what the source really imports', () => {
    expect(files.length).toBeGreaterThan(80);
    expect([...imported]).toEqual(expect.arrayContaining(['@nestjs/common', 'fastify', 'zod', 'typeorm']));
    const seeds = "import 'a'; export * from '@b/c/d'; await import('e/f'); import type { G } from 'g'; import './h';";
    expect(packagesIn(`${seeds} import { x } from 'node:fs'; import y from '@homeport/files/server';`)).toEqual(
      expect.arrayContaining(['a', '@b/c', 'e', 'g']),
    );
  });

  it('lists everything that production imports under dependencies', () => {
    expect([...imported].filter((name) => !(name in dependencies))).toEqual([]);
  });

  it('lists nothing under dependencies that production does not need', () => {
    const needed = [...imported, ...LOADED_BY_OTHERS.map(({ name }) => name)];
    expect(Object.keys(dependencies).filter((name) => !needed.includes(name))).toEqual([]);
  });

  it.each(LOADED_BY_OTHERS)('lists $name because $by loads it', ({ name, by }) => {
    expect(imported).not.toContain(name);
    expect(readPackage(`node_modules/${by}`).peerDependencies).toHaveProperty([name]);
  });

  it('pins every version, and lists each package once', () => {
    const entries = [...Object.entries(dependencies), ...Object.entries(devDependencies)];
    expect(entries.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(Object.keys(dependencies).filter((name) => name in devDependencies)).toEqual([]);
  });
});
