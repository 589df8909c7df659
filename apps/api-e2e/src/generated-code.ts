import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { call } from './homeport';

const MODULES = resolve(import.meta.dirname, '../../../node_modules');
const STRICT = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--experimentalDecorators', '--types', 'node'],
  ...['--target', 'es2022', '--lib', 'es2024,dom,dom.iterable', '--module', 'esnext', '--moduleResolution', 'bundler'],
];

/** The code that a client generator makes from the served OpenAPI document, in a temporary folder. */
export class GeneratedCode {
  private constructor(private readonly folder: string) {}

  /** @param generate writes the code into `folder`. */
  static async from(generate: (document: Record<string, unknown>, folder: string) => unknown): Promise<GeneratedCode> {
    const code = new GeneratedCode(await mkdtemp(join(tmpdir(), 'homeport-client-')));
    const document = (await (await call('/docs/openapi.json')).json()) as Record<string, unknown>;
    await generate(document, code.folder);
    await symlink(MODULES, join(code.folder, 'node_modules'));
    return code;
  }

  /** Type-checks all files as TypeScript does in a strict project. @returns the errors. */
  async typeErrors(): Promise<string> {
    const files = globSync('**/*.ts', { cwd: this.folder, exclude: ['node_modules/**'] });
    const args = [join(MODULES, 'typescript/bin/tsc'), ...STRICT, ...files];
    const checked = promisify(execFile)(process.execPath, args, { cwd: this.folder });
    return checked.then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  async import<T>(path: string): Promise<T> {
    return (await import(join(this.folder, path))) as T;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
