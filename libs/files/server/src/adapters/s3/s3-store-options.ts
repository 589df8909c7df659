import type { S3Options } from '@homeport/platform/server';

export interface S3StoreOptions extends S3Options {
  /** Up to this size a body of known size is written in one piece; absent: 64 MiB. */
  readonly multipartThresholdBytes?: number;
}
