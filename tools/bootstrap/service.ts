import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './commands.ts';
import { readSettings } from './settings.ts';
import { stopRequest } from './stop-request.ts';

const NAMES = ['postgres', 's3', 'ceph', 'dns', 'bind', 'knot', 'identity'];

/** Runs one service in the foreground without an IPC channel, so that it prints its addresses. */
async function runService(name: string, stop: AbortSignal): Promise<number> {
  const { dataDir } = readSettings(process.env, root);
  const child = spawn(process.execPath, [join(root, 'tools/dev-services', name, 'main.ts')], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: 'inherit',
  });
  stop.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

const [name = ''] = process.argv.slice(2);
if (!NAMES.includes(name)) {
  console.error(`Usage: npm run dev:<${NAMES.join(' | ')}>`);
  process.exit(1);
}
process.exit(await runService(name, stopRequest()));
