// Set-up file of the Jest projects that call the API: a response that differs from the OpenAPI document fails its test.
import { afterAll, afterEach, expect } from '@jest/globals';
import { checkResponses } from './checked-fetch.ts';
import { reportedDifferences } from './differences-file.ts';

/** Test servers of single controllers have routes that are not those of the product. */
const CALLS_THE_PRODUCT = /\/apps\/[^/]+\/src\//;

if (CALLS_THE_PRODUCT.test(expect.getState().testPath ?? '')) {
  const reported: (string[] | Promise<string[]>)[] = [];
  checkResponses((differences) => reported.push(differences));
  const check = async (): Promise<void> => {
    const differences = [...(await Promise.all(reported.splice(0))).flat(), ...reportedDifferences()];
    if (differences.length > 0)
      throw new Error(`Differs from the OpenAPI document:\n${[...new Set(differences)].join('\n')}`);
  };
  afterEach(check);
  afterAll(check);
}
