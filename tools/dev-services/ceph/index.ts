import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { SetupFailed } from '../errors.ts';
import { findPrograms, installAdvice } from '../system-programs.ts';
import { startCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { CEPH } from './programs.ts';

export interface CephOptions {
  /** The PATH in which Ceph's programs are searched. */
  path: string;
  /** The cluster lives in `${dataDir}/ceph`, created anew at each start. */
  dataDir: string;
  /** 0 or absent picks a free port. */
  port?: number;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface RunningCeph extends Cluster {
  /** For example `http://127.0.0.1:7480`. */
  endpoint: string;
}

/**
 * Starts Ceph's S3 gateway over a single-node cluster, in memory, on loopback, as an independent S3 implementation.
 * Loses all data when it stops.
 * @throws {SetupFailed} with the packages to install when Ceph is missing.
 */
export async function startCeph(options: CephOptions): Promise<RunningCeph> {
  const { path, dataDir, port = 0, bucket, accessKeyId, secretAccessKey } = options;
  if (!(await findPrograms(CEPH, path))) throw new SetupFailed(installAdvice(CEPH));
  const cluster = await startCluster({ folder: join(dataDir, 'ceph'), port, accessKeyId, secretAccessKey });
  const endpoint = `http://127.0.0.1:${cluster.port}`;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  } catch (error) {
    await cluster.close();
    throw error;
  } finally {
    client.destroy();
  }
  return { ...cluster, endpoint };
}
