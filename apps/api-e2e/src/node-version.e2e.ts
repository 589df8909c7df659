import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const DIST = resolve(import.meta.dirname, '../../../dist/api');
const PROGRAMS = ['apps/api/src/main.js', 'apps/api/src/publish/main.js', 'apps/edge/src/main.js'];

/** A module that makes the process report another Node.js version. */
function preloadReporting(version: string): string {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    Object.defineProperty(process, 'version', { value: 'v${version}' });`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

function runOn(version: string, program: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const args = ['--import', preloadReporting(version), join(DIST, program)];
  return new Promise((done) => {
    execFile(process.execPath, args, { env: {} }, (error, stdout, stderr) => {
      done({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

/** All modules that Node.js links before the first line of `file` runs. */
function linkedBefore(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const specifier = (statement.moduleSpecifier as ts.StringLiteral | undefined)?.text;
    if (specifier === undefined) continue;
    const next = specifier.startsWith('.') ? resolve(dirname(file), specifier) : specifier;
    if (!seen.has(next)) linkedBefore(next, seen);
  }
  return seen;
}

describe.each(PROGRAMS)('%s', (program) => {
  it.each(['20.20.2', '22.21.1'])('names the required version on Node.js %s', async (version) => {
    const { code, stdout, stderr } = await runOn(version, program);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `Homeport's servers need Node.js 24 or later; this is v${version}. ` +
        'Install Node.js 24, or use the container image, which includes it.\n',
    );
  });

  it('links only the version check before it runs', () => {
    expect([...linkedBefore(join(DIST, program))].map((file) => file.slice(DIST.length + 1))).toEqual([
      program,
      'libs/platform/server/src/process/launch.js',
    ]);
  });
});

it('states the version in the shipped package', () => {
  expect(JSON.parse(readFileSync(join(DIST, 'package.json'), 'utf8'))).toEqual({
    type: 'module',
    engines: { node: '>=24' },
  });
});
