import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The environment variable that names the file. */
export const DIFFERENCES_FILE = 'HOMEPORT_OPENAPI_DIFFERENCES';

const CHECK = pathToFileURL(resolve(import.meta.dirname, 'check-child-responses.ts')).href;

/** The environment of a program whose responses are compared with the OpenAPI document. */
export function checkedEnvironment(): Record<string, string> {
  return { NODE_OPTIONS: `--import=${CHECK}`, [DIFFERENCES_FILE]: fileOf() };
}

/** @returns the differences that the programs of this process reported since the last call. */
export function reportedDifferences(): string[] {
  try {
    const lines = readFileSync(fileOf(), 'utf8').trim().split('\n');
    rmSync(fileOf());
    return lines;
  } catch {
    return [];
  }
}

function fileOf(): string {
  const { TMPDIR = tmpdir() } = JSON.parse(process.env['HOMEPORT_TEST_SERVICES'] ?? '{}') as { TMPDIR?: string };
  return join(TMPDIR, `openapi-differences-${process.pid}`);
}
