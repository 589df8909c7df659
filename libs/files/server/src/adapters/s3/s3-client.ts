import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Absent for AWS itself. */
  readonly endpoint?: string;
  readonly forcePathStyle: boolean;
  /** Up to this size a body of known size is written in one piece; absent: 64 MiB. */
  readonly onePieceBytes?: number;
  /** Absent: the SDK's own provider chain finds them. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The SDK would write to the console in between the log's JSON; what fails is raised, and logged by whoever asked. */
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

const SOCKETS = { keepAlive: true, maxSockets: 512 };

function ignore(): void {
  return undefined;
}

/** @param maxAttempts how often one call may be tried. */
export function clientFor(options: S3Options, maxAttempts: number): S3Client {
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
    // Without agents of ours the SDK allows 50 connections, and makes a new one for each large body.
    requestHandler: {
      connectionTimeout: 1_000,
      httpAgent: new HttpAgent(SOCKETS),
      httpsAgent: new HttpsAgent(SOCKETS),
    },
  });
}
