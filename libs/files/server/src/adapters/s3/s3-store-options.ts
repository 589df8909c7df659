import type { S3Options } from '@homeport/platform/server/storage';

export interface S3StoreOptions extends S3Options {
  /** Largest body of known size that is written in one request, in bytes. Default: 64 MiB. */
  readonly multipartThresholdBytes?: number;
}
