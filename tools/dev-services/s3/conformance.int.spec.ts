import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type {
  GetObjectCommandInput,
  ListObjectsV2CommandInput,
  PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { BUCKET, bytesOf, Fixture, outcome, textOf } from './testing/fixture.ts';

// The S3 behaviour that Homeport requires, tested with the client that Homeport uses.
const STALE = '"deadbeefdeadbeefdeadbeefdeadbeef"';
const LONG_KEY = 'z/'.repeat(100) + 'k'.repeat(888);
const ODD_KEYS = [
  ...['p/a b.txt', 'p/a+b.txt', 'p/ünï.txt', 'p/u\u0308.txt', 'p/😀.txt', 'p/%2F.txt', 'p/q?x=1.txt', 'p/h#h.txt'],
  ...['p/a//b', 'p/./x', 'p/../y', 'p/quote\'"<>&.txt', 'p/tab\tx', 'p/dir/', 'p/dir/in.txt', 'p/dir', 'p/back\\slash'],
  `p/${'L'.repeat(200)}/${'M'.repeat(200)}.txt`,
];

let fixture: Fixture;
let client: S3Client;

type PutOptions = Partial<Omit<PutObjectCommandInput, 'Bucket' | 'Key' | 'Body'>>;
type Body = PutObjectCommandInput['Body'];

const put = (Key: string, Body: Body, options: PutOptions = {}, via = client) =>
  via.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...options }));
const get = (Key: string, options: Partial<GetObjectCommandInput> = {}) =>
  client.send(new GetObjectCommand({ Bucket: BUCKET, Key, ...options }));
const head = (Key: string) => client.send(new HeadObjectCommand({ Bucket: BUCKET, Key, ChecksumMode: 'ENABLED' }));
const list = (options: Partial<ListObjectsV2CommandInput>) =>
  client.send(new ListObjectsV2Command({ Bucket: BUCKET, ...options }));
const content = async (key: string): Promise<string> => textOf(await get(key));
const md5 = (bytes: Buffer | string): string => createHash('md5').update(bytes).digest('hex');

beforeAll(async () => {
  fixture = await Fixture.start();
  client = fixture.client();
});
afterAll(() => fixture.stop());

describe('objects', () => {
  it.each([0, 1, 1000, 65_536, 65_537, 3_000_000])('of %i bytes are returned unchanged', async (size) => {
    const bytes = randomBytes(size);
    expect((await put('sized', bytes)).ETag).toBe(`"${md5(bytes)}"`);
    expect(md5(await bytesOf(await get('sized')))).toBe(md5(bytes));
  });

  it.each(['WHEN_SUPPORTED', 'WHEN_REQUIRED'] as const)('accept streams, with checksums %s', async (calculation) => {
    const bytes = randomBytes(200_000);
    const stream = Readable.from([bytes.subarray(0, 70_000), bytes.subarray(70_000)]);
    const via = fixture.client({ requestChecksumCalculation: calculation });
    await put('streamed', stream, { ContentLength: bytes.length }, via);
    expect(md5(await bytesOf(await get('streamed')))).toBe(md5(bytes));
    expect((await head('streamed')).ContentEncoding).toBeUndefined();
  });

  it('keep their headers and metadata', async () => {
    const headers = {
      ContentType: 'text/markdown; charset=utf-8',
      CacheControl: 'private',
      ContentDisposition: 'attachment',
      ContentLanguage: 'en',
      Metadata: { foo: 'bar' },
    };
    await put('described', 'x', headers);
    expect(await head('described')).toMatchObject({ ...headers, ContentLength: 1, LastModified: expect.any(Date) });
  });

  it('when missing, answer NotFound to HEAD, NoSuchKey to GET and 204 to DELETE', async () => {
    expect(await outcome(get('nope'))).toBe('404 NoSuchKey');
    expect(await outcome(head('nope'))).toBe('404 NotFound');
    expect(await outcome(client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'nope' })))).toBe('204');
  });

  it('are read as old or new during a replacement, never mixed', async () => {
    const versions = [Buffer.alloc(300_000, 'A'), Buffer.alloc(300_000, 'B')] as const;
    await put('busy', versions[0]);
    let writing = true;
    const writer = async (): Promise<void> => {
      for (let i = 1; i <= 20; i++) await put('busy', versions[i % 2 ? 1 : 0]);
      writing = false;
    };
    const reader = async (): Promise<void> => {
      while (writing) {
        const seen = await bytesOf(await get('busy'));
        expect(versions.some((version) => version.equals(seen))).toBe(true);
      }
    };
    await Promise.all([writer(), reader(), reader()]);
  });

  it('require the right secret', async () => {
    const wrongClient = fixture.client({ credentials: { accessKeyId: 'test-key', secretAccessKey: 'guess' } });
    expect(await outcome(put('x', 'x', {}, wrongClient))).toBe('403 SignatureDoesNotMatch');
  });
});

describe.each(['0123456789abcdefghij', '0123456789abcdefghij'.repeat(10_000)])('ranges (%#)', (text) => {
  beforeAll(() => put('ranged', text));

  it.each([
    ['bytes=0-4', 0, 5],
    ['bytes=15-', 15, undefined],
    ['bytes=-3', -3, undefined],
    ['bytes=18-999999', 18, undefined],
  ])('%s', async (Range, start, end) => {
    const answer = await get('ranged', { Range });
    const expected = text.slice(start, end);
    expect(await textOf(answer)).toBe(expected);
    const first = start < 0 ? text.length + start : start;
    expect(answer.ContentRange).toBe(`bytes ${first}-${first + expected.length - 1}/${text.length}`);
    expect(answer.$metadata.httpStatusCode).toBe(206);
  });

  it('outside the object', async () => {
    expect(await outcome(get('ranged', { Range: 'bytes=999999-' }))).toBe('416 InvalidRange');
  });
});

describe('conditions', () => {
  it('of reads', async () => {
    const { ETag } = await put('read', 'v1');
    expect(await outcome(get('read', { IfNoneMatch: ETag }))).toMatch(/^304/);
    expect(await outcome(get('read', { IfMatch: '"x"' }))).toMatch(/^412/);
    expect(await outcome(get('read', { IfModifiedSince: new Date(Date.now() + 2000) }))).toMatch(/^304/);
  });

  it('of creation', async () => {
    expect(await outcome(put('created', 'v1', { IfNoneMatch: '*' }))).toBe('200');
    expect(await outcome(put('created', 'v2', { IfNoneMatch: '*' }))).toBe('412 PreconditionFailed');
    expect(await content('created')).toBe('v1');
  });

  it('of replacement', async () => {
    const { ETag } = await put('replaced', 'v1');
    expect(await outcome(put('replaced', 'v2', { IfMatch: ETag }))).toBe('200');
    expect(await outcome(put('replaced', 'v3', { IfMatch: ETag }))).toBe('412 PreconditionFailed');
    expect(await content('replaced')).toBe('v2');
    expect(await outcome(put('absent', 'v1', { IfMatch: STALE }))).toBe('404 NoSuchKey');
  });

  it('of deletion', async () => {
    const remove = (IfMatch: string | undefined) =>
      outcome(client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'removed', IfMatch })));
    const { ETag } = await put('removed', 'v1');
    expect(await remove(STALE)).toBe('412 PreconditionFailed');
    expect(await remove(ETag)).toBe('204');
    expect(await remove(ETag)).toBe('404 NoSuchKey');
  });

  it.each(['created', 'replaced'])('let exactly one of sixteen concurrent writers succeed: %s', async (kind) => {
    const key = `race-${kind}`;
    const condition = kind === 'created' ? { IfNoneMatch: '*' } : { IfMatch: (await put(key, 'v')).ETag };
    const racers = Array.from({ length: 16 }, (_, i) => outcome(put(key, `racer ${i}`, condition)));
    const outcomes = (await Promise.all(racers)).sort();
    expect(outcomes).toEqual(['200', ...Array<string>(15).fill('412 PreconditionFailed')]);
  });
});

describe('keys', () => {
  it.each(ODD_KEYS)('%j', async (key) => {
    await put(key, `content of ${key}`);
    expect(await content(key)).toBe(`content of ${key}`);
  });

  it('of at most 1088 bytes', async () => {
    expect(await outcome(put(LONG_KEY, 'x'))).toBe('200');
    expect(await outcome(put(`${LONG_KEY}k`, 'x'))).toBe('400 KeyTooLongError');
  });

  it('are listed in the order of their bytes, escaped on request', async () => {
    const sorted = [...ODD_KEYS].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect((await list({ Prefix: 'p/' })).Contents?.map(({ Key }) => Key)).toEqual(sorted);
    const encoded = await list({ Prefix: 'p/', EncodingType: 'url' });
    expect(encoded.Contents?.map(({ Key }) => decodeURIComponent(Key ?? ''))).toEqual(sorted);
  });

  it('are deleted in bulk, each independently', async () => {
    await put('kept', 'x');
    const Objects = [...ODD_KEYS.map((Key) => ({ Key })), { Key: 'kept', ETag: STALE }];
    const answer = await client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }));
    expect(answer.Deleted?.map(({ Key }) => Key)).toEqual(ODD_KEYS);
    expect(answer.Errors).toMatchObject([{ Key: 'kept', Code: 'PreconditionFailed' }]);
    expect((await list({ Prefix: 'p/' })).KeyCount).toBe(0);
  });
});

describe('lists', () => {
  const names = Array.from({ length: 25 }, (_, i) => `l/${String(i).padStart(3, '0')}`);
  const grouped = ['l/d1/', 'l/d2/', 'l/d3/'];

  beforeAll(async () => {
    const nested = grouped.flatMap((group) => [`${group}x`, `${group}y`]);
    await Promise.all([...names, ...nested].map((key) => put(key, 'x')));
  });

  it('group by delimiter', async () => {
    const page = await list({ Prefix: 'l/', Delimiter: '/' });
    expect(page.Contents?.map(({ Key }) => Key)).toEqual(names);
    expect(page.CommonPrefixes?.map(({ Prefix }) => Prefix)).toEqual(grouped);
    expect(page).toMatchObject({ KeyCount: 28, IsTruncated: false });
  });

  it('are paged without loss or repetition', async () => {
    const seen: (string | undefined)[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await list({ Prefix: 'l/', Delimiter: '/', MaxKeys: 7, ContinuationToken });
      expect(page.KeyCount).toBeLessThanOrEqual(7);
      seen.push(
        ...(page.Contents ?? []).map(({ Key }) => Key),
        ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
      );
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
    expect(seen).toEqual([...names, ...grouped]);
  });

  it('start after a key', async () => {
    expect((await list({ Prefix: 'l/', StartAfter: 'l/020' })).Contents?.[0]?.Key).toBe('l/021');
  });

  it('are paged in version 1 of the call too', async () => {
    const seen: (string | undefined)[] = [];
    let marker: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsCommand({ Bucket: BUCKET, Prefix: 'l/', Delimiter: '/', MaxKeys: 7, Marker: marker }),
      );
      seen.push(
        ...(page.Contents ?? []).map(({ Key }) => Key),
        ...(page.CommonPrefixes ?? []).map((each) => each.Prefix),
      );
      marker = page.IsTruncated ? page.NextMarker : undefined;
    } while (marker !== undefined);
    const whole = await list({ Prefix: 'l/', Delimiter: '/' });
    const expected = [
      ...(whole.Contents ?? []).map(({ Key }) => Key),
      ...(whole.CommonPrefixes ?? []).map((each) => each.Prefix),
    ];
    expect(seen.toSorted()).toEqual(expected.toSorted());
  });

  it('contain at most a thousand keys', async () => {
    await Promise.all(Array.from({ length: 1100 }, (_, i) => put(`big/${i}`, 'x')));
    const first = await list({ Prefix: 'big/' });
    const second = await list({ Prefix: 'big/', ContinuationToken: first.NextContinuationToken });
    expect([first.KeyCount, first.IsTruncated, second.KeyCount, second.IsTruncated]).toEqual([1000, true, 100, false]);
  });

  it('reject an invalid token', async () => {
    expect(await outcome(list({ ContinuationToken: 'x' }))).toBe('400 InvalidArgument');
  });
});

describe('copies', () => {
  const copy = (Key: string, source: string, options = {}) =>
    client.send(
      new CopyObjectCommand({ Bucket: BUCKET, Key, CopySource: encodeURIComponent(`${BUCKET}/${source}`), ...options }),
    );

  it.each([10, 200_000])('of %i bytes survive the deletion of their source', async (size) => {
    const bytes = randomBytes(size);
    const { ETag } = await put('source ü', bytes, { ContentType: 'a/b' });
    expect((await copy('copy', 'source ü')).CopyObjectResult?.ETag).toBe(ETag);
    await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'source ü' }));
    const answer = await get('copy');
    expect(answer.ContentType).toBe('a/b');
    expect(md5(await bytesOf(answer))).toBe(md5(bytes));
  });

  it('check conditions on source and target', async () => {
    const { ETag } = await put('original', 'v1');
    expect(await outcome(copy('conditional', 'original', { CopySourceIfMatch: STALE }))).toBe('412 PreconditionFailed');
    expect(await outcome(copy('conditional', 'original', { CopySourceIfMatch: ETag }))).toBe('200');
    expect(await outcome(copy('conditional', 'original', { IfNoneMatch: '*' }))).toBe('412 PreconditionFailed');
    expect(await outcome(copy('conditional', 'missing'))).toBe('404 NoSuchKey');
  });

  it('replace headers on request, in place too', async () => {
    await put('renamed', 'v1', { ContentType: 'a/b', Metadata: { old: '1' } });
    expect(await outcome(copy('renamed', 'renamed'))).toBe('400 InvalidRequest');
    await copy('renamed', 'renamed', { MetadataDirective: 'REPLACE', ContentType: 'c/d', Metadata: { new: '2' } });
    expect(await head('renamed')).toMatchObject({ ContentType: 'c/d', Metadata: { new: '2' } });
    expect(await content('renamed')).toBe('v1');
  });
});

describe('checksums', () => {
  const wrong = (algorithm: string): string => createHash(algorithm).update('other').digest('base64');

  it('and digests are checked', async () => {
    expect(await outcome(put('sum', 'hello', { ChecksumSHA256: wrong('sha256') }))).toBe('400 BadDigest');
    expect(await outcome(put('sum', 'hello', { ContentMD5: wrong('md5') }))).toBe('400 BadDigest');
    expect(await outcome(head('sum'))).toBe('404 NotFound');
  });

  it.each([
    ['CRC32', 'NhCmhg=='],
    ['CRC32C', 'mnG7TA=='],
    ['SHA1', 'qvTGHdzF6KLavt4PO0gs2a6pQ00='],
    ['SHA256', 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='],
  ] as const)('%s is returned', async (ChecksumAlgorithm, value) => {
    await put('summed', 'hello', { ChecksumAlgorithm });
    expect(await head('summed')).toMatchObject({
      [`Checksum${ChecksumAlgorithm}`]: value,
      ChecksumType: 'FULL_OBJECT',
    });
    expect(await textOf(await get('summed', { ChecksumMode: 'ENABLED' }))).toBe('hello');
  });
});
