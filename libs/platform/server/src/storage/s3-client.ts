import { S3Client } from '@aws-sdk/client-s3';

/** One bucket, and who asks for it. */
export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Absent for AWS itself. */
  readonly endpoint?: string;
  readonly forcePathStyle: boolean;
  /** Absent: the SDK's own provider chain finds them. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The SDK would write to the console in between the log's JSON; what fails is raised, and logged by whoever asked. */
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The SDK's own limit is 50 connections. */
const SOCKETS = { keepAlive: true, maxSockets: 512 };

function ignore(): void {
  return undefined;
}

/** @param maxAttempts how often one call may be tried. */
export function createS3Client(options: S3Options, maxAttempts: number): S3Client {
  return new S3Client({
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    // With default checksums one upload that breaks off kills the process.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: SILENT,
    maxAttempts,
    // Options and no agents of ours: with those the SDK would send large bodies, which cannot be repeated, over kept
    // connections too, and storage may close them at any time.
    requestHandler: { connectionTimeout: 1_000, httpAgent: SOCKETS, httpsAgent: SOCKETS },
  });
}
