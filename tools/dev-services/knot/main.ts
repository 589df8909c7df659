import { nameServerSettings } from '../name-server/index.ts';
import { runServiceProcess } from '../service-process.ts';
import { startKnot } from './index.ts';

const { env } = process;

runServiceProcess({
  name: 'knot',
  env,
  start: () =>
    startKnot({
      path: env['PATH'] ?? '',
      port: Number(env['KNOT_PORT'] || 0),
      ...(env['PLATFORM_DOMAIN'] ? { domain: env['PLATFORM_DOMAIN'] } : {}),
    }),
  addresses: nameServerSettings,
});
