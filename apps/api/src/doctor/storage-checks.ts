import { randomUUID } from 'node:crypto';
import {
  CreateMultipartUploadCommand,
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { MemoryBudget, S3ObjectStore } from '@homeport/files/server';
import { s3OptionsOf } from '@homeport/platform/server/config';
import { CodedFailure } from '@homeport/platform/server/observability';
import { checkBucket, createS3Client } from '@homeport/platform/server/storage';
import type { Config } from '../config';
import { type Check, type Explanation, fault, ok, warning } from './check';
import { networkExplanation, unknownFailure } from './network-failures';

/** Cannot be the prefix of a workspace, which has a hash of 43 characters after `u/`, nor of a deploy. */
const PROBE_PREFIX = 'u/examination/';
const PROBE_CONTENT = 'homeport doctor';
/** The service answers calls, and does not execute them. */
const NO_STORAGE = 'NO_STORAGE';
const CLEAN_UP_LIMIT_MS = 5_000;
/** Nothing is uploaded through this budget. */
const EMPTY_BUDGET = new MemoryBudget(0);

export type StorageConfig = Pick<
  Config,
  'S3_ENDPOINT' | 'S3_REGION' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY' | 'S3_FORCE_PATH_STYLE'
>;

export function storageChecks(config: StorageConfig): readonly Check[] {
  const client = createS3Client(s3OptionsOf(config), 1);
  const explain = (code: string) => explainStorage(code, config);
  const bucket = config.S3_BUCKET;
  const call = { client, bucket };
  const needs = ['storage'];
  return [
    {
      name: 'storage',
      limitMs: 5_000,
      explain,
      run: async (signal) => {
        await checkBucket(client, bucket, signal);
        return ok(`${storageName(config)} has the bucket ${bucket}.`);
      },
    },
    {
      name: 'storage-access',
      needs,
      explain,
      run: (signal) => checkAccess(call, signal),
    },
    { name: 'storage-uploads', needs, explain, run: (signal) => checkUploads(call, signal) },
    {
      name: 'storage-conditions',
      needs: ['storage-access'],
      limitMs: 30_000,
      explain: (code) => (code === 'StorageIncompatible' ? incompatible() : explain(code)),
      run: async () => {
        const store = new S3ObjectStore(s3OptionsOf(config), EMPTY_BUDGET);
        const limitations = await store.checkCompatibility();
        if (limitations.length === 0) return ok('Conditional writes and deletions work.');
        return warning(`The storage ${limitations.join('. The storage ')}.`, 'Use storage that checks all conditions.');
      },
    },
  ];
}

interface StorageCall {
  readonly client: S3Client;
  readonly bucket: string;
}

const cleanUpLimit = () => AbortSignal.timeout(CLEAN_UP_LIMIT_MS);

type Step = readonly [permission: string, run: () => Promise<unknown>];

/** Writes, reads, lists and deletes a probe object. */
async function checkAccess({ client, bucket: Bucket }: StorageCall, abortSignal: AbortSignal) {
  const target = { Bucket, Key: `${PROBE_PREFIX}${randomUUID()}` };
  const send = { abortSignal };
  const remove = () => client.send(new DeleteObjectCommand(target), { abortSignal: cleanUpLimit() });
  const content = async () => (await client.send(new GetObjectCommand(target), send)).Body?.transformToString();
  return checkPermissions(
    [
      ['s3:PutObject', () => client.send(new PutObjectCommand({ ...target, Body: PROBE_CONTENT }), send)],
      ['s3:GetObject', async () => assertExecuted((await content()) === PROBE_CONTENT)],
      [
        's3:ListBucket',
        () => client.send(new ListObjectsV2Command({ Bucket, Prefix: PROBE_PREFIX, MaxKeys: 1 }), send),
      ],
      ['s3:DeleteObject', remove],
      // Without this permission, S3 denies access to missing objects.
      ['s3:ListBucket', async () => assertExecuted((await content().catch(ignoreMissing)) === undefined)],
    ],
    'A probe object was written, read, listed and deleted.',
    remove,
  );
}

function assertExecuted(isExecuted: boolean): void {
  if (!isExecuted) throw new CodedFailure(NO_STORAGE, 'The storage confirmed a call and did not execute it.');
}

function ignoreMissing(error: unknown): undefined {
  if ((error as Error).name !== 'NoSuchKey') throw error;
}

/** Large files are uploaded in parts, and the API removes those that were left behind. */
async function checkUploads({ client, bucket: Bucket }: StorageCall, abortSignal: AbortSignal) {
  const target = { Bucket, Key: `${PROBE_PREFIX}${randomUUID()}` };
  const send = { abortSignal };
  let UploadId: string | undefined;
  const abort = (id = UploadId) =>
    client.send(new AbortMultipartUploadCommand({ ...target, UploadId: id }), { abortSignal: cleanUpLimit() });
  return checkPermissions(
    [
      ['s3:PutObject', async () => ({ UploadId } = await client.send(new CreateMultipartUploadCommand(target), send))],
      [
        's3:ListBucketMultipartUploads',
        () => client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: PROBE_PREFIX }), send),
      ],
      ['s3:AbortMultipartUpload', () => abort()],
    ],
    'An upload in parts was started, listed and aborted.',
    async () => {
      if (UploadId !== undefined) return abort();
      // A start without an answer may have been executed.
      const search = new ListMultipartUploadsCommand({ Bucket, Prefix: target.Key });
      const { Uploads = [] } = await client.send(search, { abortSignal: cleanUpLimit() });
      return Promise.all(Uploads.map((upload) => abort(upload.UploadId)));
    },
  );
}

const DENIED = ['AccessDenied', 'Forbidden', 'AllAccessDisabled'];

/** @param cleanUp removes the probe when a step fails. */
async function checkPermissions(steps: readonly Step[], detail: string, cleanUp: () => Promise<unknown>) {
  for (const [permission, run] of steps) {
    try {
      await run();
    } catch (error) {
      await cleanUp().catch(() => undefined);
      if (!DENIED.includes((error as Error).name)) throw error;
      return fault(`The keys may not do everything in the bucket (AccessDenied).`, `Grant ${permission} to the keys.`);
    }
  }
  return ok(detail);
}

function incompatible(): Explanation {
  return {
    detail:
      'The storage ignores or rejects If-None-Match or If-Match on writes, so that concurrent changes would be lost.',
    remedy: 'Use storage that supports conditional writes: docs/operations.md (The storage) names services that do.',
  };
}

function storageName({ S3_ENDPOINT: endpoint }: Pick<StorageConfig, 'S3_ENDPOINT'>): string {
  return endpoint === undefined ? 'Amazon S3' : `The storage at ${new URL(endpoint).host}`;
}

const KEYS = 'Correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.';

export function explainStorage(code: string, config: StorageConfig): Explanation {
  const { S3_BUCKET: bucket, S3_REGION: region } = config;
  const name = storageName(config);
  const anotherRegion: Explanation = {
    detail: `The bucket ${bucket} is not in the region ${region} (${code}).`,
    remedy: 'Set S3_REGION to the region of the bucket, and S3_ENDPOINT to the endpoint of that region.',
  };
  const otherService: Explanation = {
    detail: `${name} does not answer as the S3 API does (${code}).`,
    remedy: 'Correct S3_ENDPOINT: it is the address of the S3 API, without the bucket.',
  };
  const denied: Explanation = {
    detail: `${name} denies access to the bucket ${bucket} (${code}).`,
    remedy: 'Grant s3:ListBucket on the bucket to the keys, or correct S3_BUCKET.',
  };
  const known: Readonly<Record<string, Explanation>> = {
    InvalidAccessKeyId: { detail: `${name} does not know the access key (InvalidAccessKeyId).`, remedy: KEYS },
    SignatureDoesNotMatch: { detail: `${name} rejects the secret key (SignatureDoesNotMatch).`, remedy: KEYS },
    CredentialsProviderError: {
      detail: 'The AWS SDK finds no credentials.',
      remedy: 'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the process a role.',
    },
    InvalidBucketName: {
      detail: `${name} accepts no bucket with the name ${bucket} (InvalidBucketName).`,
      remedy: 'Correct S3_BUCKET: use lower-case letters, digits, hyphens and dots.',
    },
    [NO_STORAGE]: {
      detail: `${name} confirms calls, and does not execute them: a probe object was not returned, or not removed.`,
      remedy: 'Correct S3_ENDPOINT: it must be the address of the S3 API, and not of a website or a console.',
    },
    NoSuchBucket: {
      detail: `${name} has no bucket ${bucket}.`,
      remedy: `Correct S3_BUCKET, or create the bucket ${bucket}.`,
    },
    RequestTimeTooSkewed: {
      detail: `${name} has another time than this machine (RequestTimeTooSkewed).`,
      remedy: 'Run NTP on both machines.',
    },
    PermanentRedirect: anotherRegion,
    AuthorizationHeaderMalformed: anotherRegion,
    IllegalLocationConstraintException: anotherRegion,
    HTTP_301: anotherRegion,
    NoSuchKey: otherService,
    HTTP_404: otherService,
    AccessDenied: denied,
    HTTP_403: denied,
  };
  return known[code] ?? networkExplanation(code, name, 'S3_ENDPOINT') ?? unknownFailure(code, name, 'S3_ENDPOINT');
}
