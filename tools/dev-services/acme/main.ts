import { runServiceProcess } from '../service-process.ts';
import { startAcme } from './index.ts';

const { env } = process;

runServiceProcess({
  name: 'acme',
  env,
  start: () =>
    startAcme({
      dataDir: env['DATA_DIR'] || '.data',
      port: Number(env['ACME_PORT'] || 0),
      ...(env['ACME_CERTIFICATE_DAYS'] && { days: Number(env['ACME_CERTIFICATE_DAYS']) }),
    }),
  addresses: ({ directory, rootFile, externalAccount }) => ({ directory, rootFile, externalAccount }),
});
