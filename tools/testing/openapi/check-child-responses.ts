// Loaded by `node --import` into programs that call the API in tests: appends differences from the OpenAPI document to
// the file that the environment names, because a program cannot fail a test.
import { appendFileSync } from 'node:fs';
import { checkResponses } from './checked-fetch.ts';
import { DIFFERENCES_FILE } from './differences-file.ts';

const file = process.env[DIFFERENCES_FILE];

if (file !== undefined) {
  checkResponses(async (differences) => {
    for (const difference of await differences) appendFileSync(file, `${difference}\n`);
  });
}
