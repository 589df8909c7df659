import { S3Client } from '@aws-sdk/client-s3';

/** A bucket and the credentials for it. */
export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Absent for AWS. */
  readonly endpoint?: string;
  readonly forcePathStyle: boolean;
  /** If absent, the provider chain of the SDK finds the credentials. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Keeps the SDK from writing to the console between the JSON lines of the log. Callers log the errors they receive. */
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The default of the SDK is 50 sockets. */
const SOCKETS = { keepAlive: true, maxSockets: 512 };

function ignore(): void {
  return undefined;
}

/** @param maxAttempts the maximum number of attempts per call. */
export function createS3Client(options: S3Options, maxAttempts: number): S3Client {
  return new S3Client({
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    // With the default checksums, one aborted upload ends the process.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: SILENT,
    maxAttempts,
    // Agent options instead of agent instances: with instances, the SDK would also send large bodies, which cannot be
    // retried, over reused connections, and storage may close those at any time.
    requestHandler: { connectionTimeout: 1_000, httpAgent: SOCKETS, httpsAgent: SOCKETS },
  });
}
