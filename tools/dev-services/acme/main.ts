import { runServiceProcess } from '../service-process.ts';
import { startAcme } from './index.ts';

const { env } = process;

runServiceProcess({
  name: 'acme',
  env,
  start: () => startAcme({ dataDir: env['DATA_DIR'] || '.data', port: Number(env['ACME_PORT'] || 0) }),
  addresses: ({ directory, rootFile, externalAccount }) => ({ directory, rootFile, externalAccount }),
});
