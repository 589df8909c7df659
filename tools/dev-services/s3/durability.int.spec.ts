import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from './testing/child.ts';
import { BUCKET, bytesOf, Fixture, KEYS, newClient, outcome, textOf } from './testing/fixture.ts';

const put = (client: S3Client, Key: string, Body: Buffer | string) =>
  client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
const get = (client: S3Client, Key: string) => client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));

async function keysOf(client: S3Client): Promise<(string | undefined)[]> {
  return ((await client.send(new ListObjectsV2Command({ Bucket: BUCKET }))).Contents ?? []).map(({ Key }) => Key);
}

describe('S3 server process', () => {
  const children: ServerProcess[] = [];
  const clients: S3Client[] = [];
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 's3-'));
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    for (const child of children.splice(0))
      if (child.process.exitCode === null && !child.process.killed) await child.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  function launch(env: Readonly<Record<string, string>> = {}, fileLimit?: number): ServerProcess {
    const keys = { S3_ACCESS_KEY_ID: KEYS.accessKeyId, S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
    const child = new ServerProcess({ DATA_DIR: dataDir, S3_BUCKET: BUCKET, ...keys, ...env }, fileLimit);
    children.push(child);
    return child;
  }

  async function clientOf(child: ServerProcess): Promise<S3Client> {
    const client = newClient(await child.endpoint());
    clients.push(client);
    return client;
  }

  /** A body that shows whether it is complete and which write it belongs to. */
  function body(key: string, version: number): Buffer {
    const size = version % 3 === 0 ? 200_000 : 1000;
    const content = Buffer.alloc(size, `${key}:${version};`);
    return Buffer.concat([createHash('sha256').update(content).digest(), content]);
  }

  it.each([25, 60])('keeps every acknowledged write when it is killed after %i', async (killAfter) => {
    const child = launch();
    const client = await clientOf(child);
    const acknowledged = new Map<string, number>();
    const attempted = new Map<string, number>();
    let count = 0;
    const writer = async (key: string): Promise<void> => {
      for (let version = 1; ; version++) {
        attempted.set(key, version);
        await put(client, key, body(key, version));
        acknowledged.set(key, version);
        if (++count === killAfter) child.process.kill('SIGKILL');
      }
    };
    const writers = Array.from({ length: 8 }, (_, i) => writer(`key-${i}`).catch(() => undefined));
    await Promise.all([...writers, child.exitCode()]);

    const revived = await clientOf(launch());
    expect(await keysOf(revived)).toEqual(expect.arrayContaining([...acknowledged.keys()]));
    for (const [key, version] of acknowledged) {
      const seen = await bytesOf(await get(revived, key));
      const possible = [version, attempted.get(key) ?? version].map((each) => body(key, each));
      expect(possible.some((each) => each.equals(seen))).toBe(true);
    }
    // Files of killed writes were removed: each blob belongs to an object.
    const large = (await revived.send(new ListObjectsV2Command({ Bucket: BUCKET }))).Contents?.filter(
      ({ Size }) => (Size ?? 0) > 65_536,
    );
    const stored = join(dataDir, 's3', 'buckets', BUCKET);
    await children.at(-1)?.stop('SIGTERM');
    expect(await readdir(join(stored, 'blobs'))).toHaveLength(large?.length ?? 0);
    expect(await readdir(join(dataDir, 's3', 'tmp'))).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stops on %s', async (signal) => {
    const child = launch();
    await child.endpoint();
    expect(await child.stop(signal)).toBe(0);
  });

  it('stops when its supervisor has ended', async () => {
    const child = launch();
    await child.endpoint();
    child.process.disconnect();
    expect(await child.exitCode()).toBe(0);
  });

  it('reports a full disk, changes nothing and keeps running', async () => {
    const client = await clientOf(launch({}, 1000));
    await put(client, 'precious', 'old');
    expect(await outcome(put(client, 'precious', Buffer.alloc(2_000_000)))).toBe('507 InsufficientStorage');
    expect(await textOf(await get(client, 'precious'))).toBe('old');
    expect(await outcome(put(client, 'small', 'fits'))).toBe('200');
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['in production', { NODE_ENV: 'production' }, /production/],
    ['without keys', { S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' }, /S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/],
    ['on an invalid port', { S3_PORT: 'x' }, /S3_PORT/],
  ])('does not start %s', async (_, env, message) => {
    const child = launch(env);
    expect(await child.first).toEqual({ type: 'failed', message: expect.stringMatching(message) });
    expect(await child.exitCode()).toBe(1);
  });

  it('does not start on a port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const child = launch({ S3_PORT: String(port) });
    expect(await child.first).toEqual({
      type: 'failed',
      message: expect.stringContaining(`port ${port} is in use; set S3_PORT`),
    });
    await new Promise((resolve) => other.close(resolve));
  });

  it('does not start on data that another process uses', async () => {
    await launch().endpoint();
    expect(await launch().first).toEqual({ type: 'failed', message: expect.stringContaining('is in use by process') });
  });
});

describe('after a restart', () => {
  let fixture: Fixture;
  let stored: string;

  beforeEach(async () => {
    fixture = await Fixture.start();
    stored = join(fixture.dataDir, 's3', 'buckets', BUCKET);
    const client = fixture.client();
    await put(client, 'small', 'x');
    await put(client, 'large', Buffer.alloc(100_000, 'y'));
  });
  afterEach(() => fixture.stop());

  it('objects are unchanged', async () => {
    const before = await get(fixture.client(), 'small');
    await fixture.restart();
    const client = fixture.client();
    const after = await get(client, 'small');
    expect([after.ETag, after.LastModified, await textOf(after)]).toEqual([
      before.ETag,
      before.LastModified,
      await textOf(before),
    ]);
    expect(await bytesOf(await get(client, 'large'))).toEqual(Buffer.alloc(100_000, 'y'));
  });

  it('unreferenced blobs and unfinished files are removed', async () => {
    await writeFile(join(stored, 'blobs', 'orphan'), 'x');
    await writeFile(join(fixture.dataDir, 's3', 'tmp', 'unfinished'), 'x');
    await fixture.restart();
    await fixture.restart();
    expect(await readdir(join(stored, 'blobs'))).toHaveLength(1);
    expect(await readdir(join(fixture.dataDir, 's3', 'tmp'))).toEqual([]);
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ['garbage', (path) => writeFile(path, 'garbage\n')],
    ['nothing', (path) => truncate(path)],
    ['another shape', (path) => writeFile(path, '{"key":1}\n')],
    ['a truncated body', (path) => truncate(path, 300)],
  ])('a record of %s is reported and skipped, and no blob removed', async (_, damage) => {
    const records = join(stored, 'objects');
    for (const name of await readdir(records)) await damage(join(records, name));
    await fixture.restart();
    const client = fixture.client();
    expect(await keysOf(client)).not.toContain('small');
    expect(fixture.reports.join('\n')).toMatch(/skipped/);
    expect(await readdir(join(stored, 'blobs'))).toHaveLength(1);
    expect(await outcome(put(client, 'small', 'again'))).toBe('200');
  });
});
