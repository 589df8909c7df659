import type { S3Options } from '../storage/s3-client';
import { embeddedServices } from './embedded-services';

/** The buckets of this test run by storage: the embedded S3 server, and Ceph if it is installed. */
export function testBuckets(): ReadonlyMap<string, S3Options> {
  const services = embeddedServices();
  const on = (prefix: string): S3Options => ({
    region: services['S3_REGION'] as string,
    bucket: services['S3_BUCKET'] as string,
    forcePathStyle: true,
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
