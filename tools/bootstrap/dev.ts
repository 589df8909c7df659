import { watch } from 'node:fs';
import { join } from 'node:path';
import { exitWithParentArgs, startChild } from '../dev-services/child-process.ts';
import type { Child } from '../dev-services/child-process.ts';
import { messageOf } from '../dev-services/errors.ts';
import { managementPortOf, startApi, startEdge } from '../dev-services/homeport.ts';
import type { ManagementPorts } from '../dev-services/homeport.ts';
import { closeRuntimeFolder, openRuntimeFolder, startRuntime, wantsRuntime } from '../dev-services/runtime.ts';
import { startServices } from '../dev-services/services.ts';
import { startupBanner } from './startup-banner.ts';
import { root, toolEnvironment } from './commands.ts';
import { availableManagementPorts, checkDataFolder, checkPorts } from './preflight.ts';
import { step } from './progress.ts';
import { Reloader } from './reloader.ts';
import { acquireRunLock } from './run-lock.ts';
import { readSettings } from './settings.ts';
import type { Environment } from './settings.ts';
import { aborted, stopRequest } from './stop-request.ts';

const print = (name: string, line: string): void => console.log(`${name.padEnd(8)} │ ${line}`);

/** Starts the two compilers in watch mode. */
function startCompilers(env: Environment): [api: Child, client: Child] {
  const shared = { cwd: root, env: toolEnvironment(env), onLog: print, execArgv: exitWithParentArgs() };
  const api = { name: 'api:build', main: join(root, 'tools/build/compile-api.mjs'), args: ['--watch'] };
  const client = {
    name: 'client:bundle',
    main: join(root, 'node_modules/nx/dist/bin/nx.js'),
    args: ['run', 'client:bundle:development', '--watch', '--output-style=stream'],
  };
  return [startChild({ ...shared, ...api }), startChild({ ...shared, ...client })];
}

/** Resolves when the compiler reports its first result; rejects when it exits before. */
function firstResult(compiler: Child, said: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    for (const stream of [compiler.process.stdout, compiler.process.stderr]) {
      stream?.on('data', (chunk: string) => said.test(chunk) && resolve());
    }
    compiler.died.then(reject);
  });
}

async function develop(stop: AbortSignal, closers: (() => Promise<void>)[]): Promise<void> {
  const settings = readSettings(process.env, root);
  const { dataDir, publicUrl, platformDomain, edgePort, host, env } = settings;
  await checkDataFolder(dataDir);
  closers.unshift(await acquireRunLock(dataDir, publicUrl));
  await checkPorts(settings);

  const compilers = startCompilers(env);
  closers.unshift(async () => void (await Promise.all(compilers.map((compiler) => compiler.close()))));
  const [apiCompiler, clientCompiler] = compilers;
  const [services] = await Promise.all([
    step('Services started', () => startServices({ ...settings, onLog: () => undefined })),
    step('API compiled', () => firstResult(apiCompiler, /Compiled/)),
    step('Client compiled', () => firstResult(clientCompiler, /bundle generation complete/)),
  ]);
  closers.unshift(() => services.close());

  const folder = await openRuntimeFolder(dataDir);
  closers.unshift(() => closeRuntimeFolder(dataDir, folder));
  const servedEnv = { ...env, ...services.env, EDGE_PORT: String(edgePort), RUNTIME_DIR: folder };
  const managementPorts = await availableManagementPorts(settings);
  const envOf = (name: keyof ManagementPorts) => ({ ...servedEnv, ...managementPortOf(name, managementPorts) });
  const api = new Reloader(
    () => startApi({ ...settings, env: envOf('api'), onLog: print }),
    (message) => print('api', message),
  );
  const edge = new Reloader(
    () => startEdge({ port: edgePort, host, env: envOf('edge'), onLog: print }),
    (message) => print('edge', message),
  );
  const runtime = new Reloader(
    () => startRuntime({ folder, env: envOf('runtime'), onLog: print }),
    (message) => print('runtime', message),
  );
  closers.unshift(() => api.close());
  closers.unshift(() => edge.close());
  closers.unshift(() => runtime.close());
  await api.reload();
  await edge.reload();
  if (wantsRuntime(servedEnv)) await runtime.reload();
  // The API reads the client's page and its file names only at startup.
  for (const folder of ['dist/api', 'dist/client/browser']) {
    watch(join(root, folder), { recursive: true }, () => api.reloadSoon());
  }
  watch(join(root, 'dist/api'), { recursive: true }, () => edge.reloadSoon());
  if (wantsRuntime(servedEnv)) watch(join(root, 'dist/api'), { recursive: true }, () => runtime.reloadSoon());
  const { dnsPort, people } = services;
  const facts = { url: publicUrl, platformDomain, edgePort, dnsPort, managementPorts, people, logs: 'below' };
  console.log(startupBanner(facts));
  const died = await Promise.race([services.died, apiCompiler.died, clientCompiler.died, aborted(stop)]);
  if (died) throw died;
}

/** Closes in the reverse order of the start, also after a partial start. */
async function main(): Promise<number> {
  const closers: (() => Promise<void>)[] = [];
  try {
    await develop(stopRequest(), closers);
    return 0;
  } catch (error) {
    console.error(`\n${messageOf(error)}`);
    return 1;
  } finally {
    console.log('\nStopping …');
    for (const close of closers) await close();
  }
}

process.exit(await main());
