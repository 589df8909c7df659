import { embeddedServices } from '@homeport/platform/server/testing';
import type { S3StoreOptions } from '../adapters/s3/s3-store-options';

/** The buckets of this test run by the storage they are on: the embedded one, and Ceph where it is installed. */
export function testBuckets(): ReadonlyMap<string, S3StoreOptions> {
  const services = embeddedServices();
  const common = {
    region: services['S3_REGION'] as string,
    bucket: services['S3_BUCKET'] as string,
    forcePathStyle: true,
    // So that parts are tried without 64 MiB.
    onePieceBytes: 8 * 1024 * 1024,
  };
  const on = (prefix: string): S3StoreOptions => ({
    ...common,
    endpoint: services[`${prefix}_ENDPOINT`] as string,
    credentials: {
      accessKeyId: services[`${prefix}_ACCESS_KEY_ID`] as string,
      secretAccessKey: services[`${prefix}_SECRET_ACCESS_KEY`] as string,
    },
  });
  return new Map([
    ['the embedded S3 server', on('S3')],
    ...(services['CEPH_ENDPOINT'] === undefined ? [] : [['Ceph', on('CEPH')] as const]),
  ]);
}
