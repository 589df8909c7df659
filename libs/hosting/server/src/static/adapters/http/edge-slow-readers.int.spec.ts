import { get as httpGet, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BlobKey, type Encoding, InMemoryBlobStore, type OpenOptions } from '@homeport/platform/server/blobs';
import { type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';

const LARGE = Buffer.alloc(2 * 1024 * 1024, 'x');
/** For all apps together, and for one app. */
const MAX_STREAMS = 384;
const MAX_STREAMS_PER_APP = 96;

/** A store whose large files never end, as for visitors who read slowly. */
class EndlessBlobStore extends InMemoryBlobStore {
  override async open(key: BlobKey, encoding: Encoding, options: OpenOptions): Promise<Readable | undefined> {
    const whole = await super.open(key, encoding, options);
    const bytes = Buffer.concat((await whole?.toArray()) ?? []);
    if (bytes.length < LARGE.length) return Readable.from([bytes], { objectMode: false });
    const endless = new Readable({ read: () => undefined });
    options.signal.addEventListener('abort', () => endless.destroy(), { once: true });
    for (const at of [0, 1_000]) endless.push(bytes.subarray(at, at + 1_000));
    return endless;
  }
}

const fixtures = new EdgeFixtures(new EndlessBlobStore());
let fixture: EdgeFixture;

beforeAll(async () => {
  fixture = await fixtures.open(await fixtures.prepare());
});

afterAll(() => fixtures.drop());

/** Resolves with the head of the response; the body stays open. */
function begin(host: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { port: fixture.port, host: '127.0.0.1', path: '/large.bin', headers: { host }, agent: false };
    httpGet(options, (answer) => resolve(answer.on('error', () => undefined))).on('error', reject);
  });
}

async function statusOf(host: string): Promise<number | undefined> {
  const answer = await begin(host);
  answer.destroy();
  return answer.statusCode;
}

/** Opens the maximum number of streams of one app. */
async function openMaxStreams(host: string): Promise<IncomingMessage[]> {
  const answers = await Promise.all(Array.from({ length: MAX_STREAMS_PER_APP }, () => begin(host)));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  return answers;
}

describe('visitors who read slowly', () => {
  it('block neither other apps nor small files', async () => {
    const apps = await Promise.all(
      Array.from({ length: MAX_STREAMS / MAX_STREAMS_PER_APP + 1 }, () =>
        fixture.opened({ 'large.bin': LARGE, 'small.txt': 'small', 'other.txt': 'other' }),
      ),
    );
    const [first, ...others] = apps as [(typeof apps)[0], ...typeof apps];
    const slow = await openMaxStreams(first.host);
    const refused = await first.get('/large.bin');
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect((await first.get('/small.txt')).body).toBe('small');
    expect((await first.get('/large.bin', { range: 'bytes=0-9' })).status).toBe(503);

    const last = others.pop()!;
    for (const { host } of others) slow.push(...(await openMaxStreams(host)));
    expect(await last.get('/large.bin')).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    for (const { get } of apps) expect((await get('/other.txt')).body).toBe('other');

    for (const answer of slow) answer.destroy();
    while ((await statusOf(last.host)) !== 200);
    while ((await statusOf(first.host)) !== 200);
  });
});
