import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3 } from '../index.ts';
import type { RunningS3 } from '../index.ts';

export const KEYS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret-test-secret' };
export const BUCKET = 'conformance';

/** A server with its own folder, and clients for it. */
export class Fixture {
  readonly dataDir: string;
  readonly reports: string[] = [];
  private server: RunningS3 | undefined;
  private readonly clients: S3Client[] = [];

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  static async start(): Promise<Fixture> {
    const fixture = new Fixture(await mkdtemp(join(tmpdir(), 's3-')));
    await fixture.restart();
    return fixture;
  }

  get endpoint(): string {
    return this.server?.endpoint ?? '';
  }

  async restart(): Promise<void> {
    await this.server?.close();
    const report = (message: string): void => void this.reports.push(message);
    this.server = await startS3({ dataDir: this.dataDir, ...KEYS, buckets: [BUCKET], report });
  }

  client(overrides: Partial<S3ClientConfig> = {}): S3Client {
    const client = newClient(this.endpoint, overrides);
    this.clients.push(client);
    return client;
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.destroy();
    await this.server?.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

export function newClient(endpoint: string, overrides: Partial<S3ClientConfig> = {}): S3Client {
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: KEYS,
    maxAttempts: 1,
    ...overrides,
  });
}

/** Returns `200`, or for a refusal `412 PreconditionFailed`. */
export async function outcome(call: Promise<{ $metadata: { httpStatusCode?: number | undefined } }>): Promise<string> {
  try {
    return String((await call).$metadata.httpStatusCode);
  } catch (error) {
    if (error instanceof S3ServiceException) return `${error.$metadata.httpStatusCode} ${error.name}`;
    throw error;
  }
}

interface Answer {
  readonly Body?: { transformToByteArray(): Promise<Uint8Array> } | undefined;
}

export async function bytesOf(answer: Answer): Promise<Buffer> {
  return Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
}

export async function textOf(answer: Answer): Promise<string> {
  return (await bytesOf(answer)).toString();
}
