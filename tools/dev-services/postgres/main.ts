import { runServiceProcess } from '../service-process.ts';
import { startPostgres } from './index.ts';

const { env } = process;

runServiceProcess({
  name: 'postgres',
  env,
  start: () =>
    startPostgres({
      dataDir: env['DATA_DIR'] || '.data',
      port: Number(env['POSTGRES_PORT'] || 0),
      onLog: (line) => console.error(line),
    }),
  addresses: ({ port, url }) => ({ port, url }),
});
