import { nameServerSettings } from '../name-server/index.ts';
import { runServiceProcess } from '../service-process.ts';
import { startBind } from './index.ts';

const { env } = process;

runServiceProcess({
  name: 'bind',
  env,
  start: () =>
    startBind({
      path: env['PATH'] ?? '',
      port: Number(env['BIND_PORT'] || 0),
      ...(env['PLATFORM_DOMAIN'] ? { domain: env['PLATFORM_DOMAIN'] } : {}),
    }),
  addresses: nameServerSettings,
});
