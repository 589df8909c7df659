import { resolve } from 'node:path';
import { runServiceProcess } from '../service-process.ts';
import { startCeph } from './index.ts';

const { env } = process;
/** Fixed defaults, not secret: the cluster loses all data when it stops. */
const credentials = {
  accessKeyId: env['S3_ACCESS_KEY_ID'] || 'homeport',
  secretAccessKey: env['S3_SECRET_ACCESS_KEY'] || 'homeport-on-ceph',
};
const bucket = env['S3_BUCKET'] || 'homeport-files';

runServiceProcess({
  name: 'ceph',
  env,
  start: () =>
    startCeph({
      path: env['PATH'] ?? '',
      dataDir: resolve(env['DATA_DIR'] || '.data'),
      port: Number(env['CEPH_PORT'] || 0),
      bucket,
      ...credentials,
    }),
  addresses: ({ port, endpoint }) => ({ port, endpoint, bucket, ...credentials }),
});
