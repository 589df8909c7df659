// A runtime that launches an app and is then killed. Arguments: the folder of the compiled sandbox, the folder for
// sockets, the folder of the app, and `frozen` for a suspended app.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, runDirectory, appFolder, state] = process.argv.slice(2);
const { BubblewrapSandbox } = await import(pathToFileURL(join(folder, 'bubblewrap-sandbox.js')).href);
const sandbox = await BubblewrapSandbox.open({ runDirectory, node: process.execPath });
const app = await sandbox.launch({
  instanceId: randomUUID(),
  appId: randomUUID(),
  appFolder,
  plan: { framework: 'node', kind: 'script', entry: 'server.mjs', environment: {} },
  environment: {},
  limits: { memoryBytes: 256 * 1024 ** 2, cpus: 1, processes: 64, tmpBytes: 1024 ** 2 },
  onLine: () => undefined,
});
await app.listening;
if (state === 'frozen') await app.freeze();
process.stdout.write('launched\n');
setInterval(() => undefined, 60_000);
