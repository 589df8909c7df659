import { runServiceProcess } from '../service-process.ts';
import { startDns } from './index.ts';

const { env } = process;

runServiceProcess({
  name: 'dns',
  env,
  start: () =>
    startDns({
      dataDir: env['DATA_DIR'] || '.data',
      domain: env['PLATFORM_DOMAIN'] || 'apps.localhost',
      ...(env['ACME_ZONE'] ? { challengeZone: env['ACME_ZONE'] } : {}),
      port: Number(env['DNS_PORT'] || 5353),
      controlPort: Number(env['DNS_CONTROL_PORT'] || 0),
      ...(env['EMBEDDED_DNS_TOKEN'] ? { token: env['EMBEDDED_DNS_TOKEN'] } : {}),
    }),
  addresses: ({ port, controlUrl, token }) => ({ port, controlUrl, token }),
});
