import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';
import type { LoadShedder } from '@homeport/platform/server/node-http';
import { type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';

const fixtures = new EdgeFixtures(new InMemoryBlobStore());
let fixture: EdgeFixture;
let isOverloaded = false;

beforeAll(async () => {
  const admit: LoadShedder['admit'] = (_request, _response, start) => {
    if (!isOverloaded) start();
    return !isOverloaded;
  };
  fixture = await fixtures.open(await fixtures.prepare(), { shedder: { admit } });
});
afterAll(() => fixtures.drop());

it('in an overload refuses lookups, serves files in memory and health checks, and recovers', async () => {
  const { get } = await fixture.opened({ 'index.html': 'home', 'other.txt': 'other' });
  // A late notification of the deploy can empty the cache once more.
  do {
    isOverloaded = false;
    await get('/');
    isOverloaded = true;
  } while ((await get('/')).status !== 200);
  const refusal = await get('/other.txt');
  expect(refusal).toMatchObject({ status: 503, headers: { 'retry-after': '1', 'cache-control': 'no-store' } });
  expect(refusal.body).toContain('Too many visitors at once');
  expect((await get('/')).body).toBe('home');
  expect((await fixture.at('localhost', '/health/ready')).status).toBe(200);
  isOverloaded = false;
  expect((await get('/other.txt')).body).toBe('other');
});
