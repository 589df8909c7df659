import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ChecksumAlgorithm, ChecksumType, CompletedPart, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BUCKET, bytesOf, Fixture, outcome, textOf } from './testing/fixture.ts';

const PART_BYTES = 5 * 1024 * 1024;

let fixture: Fixture;
let client: S3Client;

interface Checksums {
  readonly ChecksumAlgorithm?: ChecksumAlgorithm;
  readonly ChecksumType?: ChecksumType;
}

/** One multipart upload, step by step. */
class Upload {
  readonly address: { Bucket: string; Key: string; UploadId: string | undefined };
  private readonly via: S3Client;

  private constructor(via: S3Client, key: string, id: string | undefined) {
    this.via = via;
    this.address = { Bucket: BUCKET, Key: key, UploadId: id };
  }

  static async begin(key: string, options: Checksums & { ContentType?: string } = {}, via = client): Promise<Upload> {
    const { UploadId } = await via.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key: key, ...options }));
    return new Upload(via, key, UploadId);
  }

  through(via: S3Client): Upload {
    return new Upload(via, this.address.Key, this.address.UploadId);
  }

  async part(PartNumber: number, Body: Buffer | string, options: Checksums = {}): Promise<CompletedPart> {
    const answer = await this.via.send(new UploadPartCommand({ ...this.address, PartNumber, Body, ...options }));
    const { ETag, ChecksumCRC32, ChecksumSHA256 } = answer;
    return { PartNumber, ETag, ChecksumCRC32, ChecksumSHA256 };
  }

  complete(Parts: CompletedPart[], options: { IfNoneMatch?: string } = {}) {
    return this.via.send(
      new CompleteMultipartUploadCommand({ ...this.address, MultipartUpload: { Parts }, ...options }),
    );
  }

  abort() {
    return this.via.send(new AbortMultipartUploadCommand(this.address));
  }

  async partNumbers(): Promise<(number | undefined)[]> {
    return ((await this.via.send(new ListPartsCommand(this.address))).Parts ?? []).map(({ PartNumber }) => PartNumber);
  }
}

const get = (Key: string, Range?: string) => client.send(new GetObjectCommand({ Bucket: BUCKET, Key, Range }));

beforeAll(async () => {
  fixture = await Fixture.start();
  client = fixture.client();
});
afterAll(() => fixture.stop());

describe('multipart uploads', () => {
  it('join their parts', async () => {
    const [first, last] = [randomBytes(PART_BYTES), randomBytes(123_457)];
    const upload = await Upload.begin('joined', { ContentType: 'x/y' });
    // In any order; a later upload of the same part replaces the earlier one.
    const parts = [await upload.part(2, last), await upload.part(1, 'replaced soon'), await upload.part(1, first)];
    expect(await upload.partNumbers()).toEqual([1, 2]);
    const { ETag } = await upload.complete([parts[2] ?? {}, parts[0] ?? {}]);
    const md5 = createHash('md5');
    for (const part of [first, last]) md5.update(createHash('md5').update(part).digest());
    expect(ETag).toBe(`"${md5.digest('hex')}-2"`);
    const answer = await get('joined');
    expect(answer.ContentType).toBe('x/y');
    expect((await bytesOf(answer)).equals(Buffer.concat([first, last]))).toBe(true);
    const seam = await get('joined', `bytes=${PART_BYTES - 10}-${PART_BYTES + 9}`);
    expect(await bytesOf(seam)).toEqual(Buffer.concat([first.subarray(-10), last.subarray(0, 10)]));
  });

  it('are invisible until complete and removed after an abort', async () => {
    const upload = await Upload.begin('aborted');
    await upload.part(1, 'x');
    expect(await outcome(get('aborted'))).toBe('404 NoSuchKey');
    expect(await outcome(upload.abort())).toBe('204');
    await expect(upload.part(2, 'x')).rejects.toMatchObject({ name: 'NoSuchUpload' });
    expect(await outcome(upload.abort())).toBe('404 NoSuchUpload');
  });

  it.each<[string, (upload: Upload) => Promise<CompletedPart[]>, string]>([
    ['a wrong ETag', async (upload) => [{ ...(await upload.part(1, 'x')), ETag: '"00"' }], '400 InvalidPart'],
    ['a missing part', async (upload) => [{ ...(await upload.part(1, 'x')), PartNumber: 2 }], '400 InvalidPart'],
    [
      'a small part before the last',
      async (upload) => [await upload.part(1, 'x'), await upload.part(2, 'x')],
      '400 EntityTooSmall',
    ],
    [
      'parts out of order',
      async (upload) => [await upload.part(2, 'x'), await upload.part(1, 'x')],
      '400 InvalidPartOrder',
    ],
  ])('reject %s and stay usable', async (_, prepare, expected) => {
    const upload = await Upload.begin('refused');
    expect(await outcome(upload.complete(await prepare(upload)))).toBe(expected);
    expect(await outcome(upload.complete([await upload.part(1, 'good')]))).toBe('200');
    expect(await textOf(await get('refused'))).toBe('good');
  });

  it('check conditions on completion', async () => {
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'taken', Body: 'old' }));
    const upload = await Upload.begin('taken');
    const parts = [await upload.part(1, 'new')];
    expect(await outcome(upload.complete(parts, { IfNoneMatch: '*' }))).toBe('412 PreconditionFailed');
    expect(await textOf(await get('taken'))).toBe('old');
  });

  it('can be completed again after a lost response', async () => {
    const upload = await Upload.begin('twice');
    const parts = [await upload.part(1, 'x')];
    expect((await upload.complete(parts)).ETag).toBe((await upload.complete(parts)).ETag);
  });

  it('have composite or full-object checksums', async () => {
    const head = async () =>
      client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'summed', ChecksumMode: 'ENABLED' }));
    const composite = await Upload.begin('summed', { ChecksumAlgorithm: 'SHA256' });
    await composite.complete([await composite.part(1, 'hello', { ChecksumAlgorithm: 'SHA256' })]);
    expect(await head()).toMatchObject({ ChecksumType: 'COMPOSITE', ChecksumSHA256: expect.stringMatching(/=-1$/) });
    const whole = await Upload.begin('summed', { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' });
    await whole.complete([await whole.part(1, 'hello')]);
    const digest = Buffer.alloc(4);
    digest.writeUInt32BE(crc32('hello'));
    expect(await head()).toMatchObject({ ChecksumType: 'FULL_OBJECT', ChecksumCRC32: digest.toString('base64') });
  });

  it('are listed by key, in pages', async () => {
    const keys = ['u/a', 'u/b', 'u/b', 'u/ü'];
    for (const key of keys) await Upload.begin(key);
    const seen: (string | undefined)[] = [];
    let markers: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (let more = true; more;) {
      const page = await client.send(
        new ListMultipartUploadsCommand({ Bucket: BUCKET, Prefix: 'u/', MaxUploads: 2, ...markers }),
      );
      seen.push(...(page.Uploads ?? []).map(({ Key }) => Key));
      markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      more = page.IsTruncated ?? false;
    }
    expect(seen).toEqual(keys);
  });

  it('survive a restart', async () => {
    const first = randomBytes(PART_BYTES);
    const upload = await Upload.begin('resumed', { ContentType: 'x/y' });
    const parts = [await upload.part(1, first)];
    await fixture.restart();
    client = fixture.client();
    const resumed = upload.through(client);
    expect(await resumed.partNumbers()).toEqual([1]);
    parts.push(await resumed.part(2, 'end'));
    await resumed.complete(parts);
    const answer = await get('resumed');
    expect(answer.ContentType).toBe('x/y');
    expect((await bytesOf(answer)).equals(Buffer.concat([first, Buffer.from('end')]))).toBe(true);
  });
});
