import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { generateApiClient } from './generate-api-client.mjs';

const GENERATED = resolve(import.meta.dirname, '../../libs/api-client/src/generated');

function contentsOf(folder: string): Record<string, string> {
  const files = globSync('**/*.ts', { cwd: folder });
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

describe('the generated calls of @homeport/api-client', () => {
  it('are those of apps/api/openapi.json (npm run openapi)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'homeport-client-'));
    try {
      await generateApiClient(folder);
      expect(contentsOf(GENERATED)).toEqual(contentsOf(folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
