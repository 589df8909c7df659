// Generates types and calls of @homeport/api-client from the golden OpenAPI document:
// node tools/build/generate-api-client.mjs [folder]
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

const root = resolve(import.meta.dirname, '../..');

/** @param {string} path target folder; its content is replaced. */
export async function generateApiClient(path) {
  rmSync(path, { recursive: true, force: true });
  await createClient({
    input: join(root, 'apps/api/openapi.json'),
    output: { path, entryFile: false },
    logs: { level: 'silent', file: false },
    plugins: [
      '@hey-api/typescript',
      { name: '@hey-api/client-fetch', throwOnError: true },
      // Without a default client, so that a call cannot go to a server by accident.
      { name: '@hey-api/sdk', client: false, responseStyle: 'data' },
    ],
  });
}

if (process.argv[1] === import.meta.filename) {
  await generateApiClient(resolve(process.argv[2] ?? join(root, 'libs/api-client/src/generated')));
}
