import { embeddedServices } from '@homeport/platform/server/testing';
import type { S3Options } from '../adapters/s3/s3-client';

/** The bucket of the embedded S3 server. */
export function embeddedBucket(): S3Options {
  const services = embeddedServices();
  return {
    endpoint: services['S3_ENDPOINT'] as string,
    region: services['S3_REGION'] as string,
    bucket: services['S3_BUCKET'] as string,
    forcePathStyle: true,
    credentials: {
      accessKeyId: services['S3_ACCESS_KEY_ID'] as string,
      secretAccessKey: services['S3_SECRET_ACCESS_KEY'] as string,
    },
  };
}
