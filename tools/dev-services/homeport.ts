import { join, resolve } from 'node:path';
import { exitWithParentArgs, startChild } from './child-process.ts';
import type { Child, Environment } from './child-process.ts';
import { SetupFailed } from './errors.ts';
import { freePort } from './ports.ts';
import { closeRuntimeFolder, openRuntimeFolder, startRuntimeIfPossible } from './runtime.ts';
import { startServices } from './services.ts';
import { supervise } from './supervise.ts';
import type { Services, ServicesOptions } from './services.ts';
import { waitUntilReady } from './wait-until-ready.ts';

const root = resolve(import.meta.dirname, '../..');
const BUILT = join(root, 'dist/api');
const CLIENT = join(root, 'dist/client/browser');
/** What process managers allow after the shutdown notice (docs/operations.md): requests take up to 25 s, other steps 3. */
const STOP_TIMEOUT_MILLISECONDS = 29_000;
/** As in the image. 16 takes 20 MiB more and does not shorten requests (docs/benchmarks.md). */
export const LOW_MEMORY_NODE_ARGS = ['--max-semi-space-size=4'];
const READY_TRIES = 1_200;
const READY_PAUSE_MILLISECONDS = 50;

export interface HomeportOptions extends Omit<ServicesOptions, 'publicUrl' | 'hasCertificates'> {
  /** Port of client and API; 0 picks a free one. Default: 3000. */
  port?: number;
  /** Port for deployed apps; 0 picks a free one. Default: 8080. */
  edgePort?: number;
  /** Port for deployed apps by https, with certificates; 0 picks a free one. Default: none. */
  tlsPort?: number | undefined;
  /** The ports for operators. Default: none, and nothing is measured. */
  managementPorts?: ManagementPorts | undefined;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: `http://localhost:{port}`. */
  publicUrl?: string;
  /** A build that runs while the services start; the API waits for it. */
  built?: Promise<unknown>;
  /** Restarts API, edge and runtime when they end without a stop request, and calls this. Default: `died` resolves. */
  onRestart?: (reason: Error) => void;
}

/** The processes share a machine, so that each has another port. */
export interface ManagementPorts {
  api: number;
  edge: number;
  runtime: number;
}

export interface ApiOptions {
  port: number;
  host: string;
  publicUrl: string;
  /** The user's environment and the settings of the services. */
  env: Environment;
  onLog?: ServicesOptions['onLog'];
  /** The folder of the compiled programs. Default: `dist/api`. */
  release?: string | undefined;
}

export type EdgeOptions = Omit<ApiOptions, 'publicUrl'>;

export interface RunningHomeport {
  /** The public URL of client and API. */
  url: string;
  port: number;
  /** The port that serves deployed apps by host name. */
  edgePort: number;
  /** The same by https; undefined when it is off. */
  tlsPort: number | undefined;
  services: Services;
  /** The API's process. */
  api: Child;
  /** The process that serves deployed apps. */
  edge: Child;
  /** The process that runs SSR apps; undefined when it is off or could not start. */
  runtime: Child | undefined;
  /** Why SSR apps do not run; undefined when they do, or when the environment turns them off. */
  runtimeFailure: string | undefined;
  /** Resolves with the reason when a process exits without a stop request. */
  died: Promise<Error>;
  /** Stops API, edge and runtime, then the services, and waits for them. */
  close(): Promise<void>;
}

/**
 * Starts the built product (`dist/`) with embedded services where none are configured, and resolves when it is ready.
 * With port 0 everywhere, several instances can run side by side, each with its own data folder.
 */
export async function startHomeport(options: HomeportOptions): Promise<RunningHomeport> {
  const { host, port, edgePort, tlsPort, publicUrl } = await listenersOf(options);
  const starting = startServices({ ...options, publicUrl, hasCertificates: tlsPort !== undefined });
  // Waits for both even if one fails, so that no process is left running.
  const [running, built] = await Promise.allSettled([starting, options.built]);
  if (running.status === 'rejected') throw running.reason;
  const services = running.value;
  const closers = [() => services.close()];
  const close = async (): Promise<void> => {
    for (const each of closers.toReversed()) await each();
  };
  try {
    if (built.status === 'rejected') throw built.reason;
    const { onLog } = options;
    const folder = await openRuntimeFolder(options.dataDir);
    closers.push(() => closeRuntimeFolder(options.dataDir, folder));
    const tls = tlsPort === undefined ? {} : { EDGE_TLS_PORT: String(tlsPort) };
    const env = { ...options.env, ...services.env, ...tls, EDGE_PORT: String(edgePort), RUNTIME_DIR: folder };
    // Waits for all even if one fails, so that no process is left running.
    const runtimeFailures: string[] = [];
    const onFailure = (reason: string) => runtimeFailures.push(reason);
    const envOf = (name: keyof ManagementPorts) => ({ ...env, ...managementPortOf(name, options.managementPorts) });
    const started = await allStarted([
      startRuntimeIfPossible({ folder, env: envOf('runtime'), onLog, onFailure }),
      startEdge({ port: edgePort, host, env: envOf('edge'), onLog }),
      startApi({ port, host, publicUrl, env: envOf('api'), onLog }),
    ]);
    const [runtime, edge, api] = supervised(started, options.onRestart);
    closers.push(async () => runtime?.close());
    closers.push(
      () => edge.close(),
      () => api.close(),
    );
    const died = Promise.race([api.died, edge.died, ...(runtime ? [runtime.died] : []), services.died]);
    return {
      url: publicUrl,
      port,
      edgePort,
      tlsPort,
      services,
      api,
      edge,
      runtime,
      runtimeFailure: runtimeFailures[0],
      died,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A port of the user's environment would be that of all three. */
export function managementPortOf(name: keyof ManagementPorts, ports: ManagementPorts | undefined): Environment {
  return { MANAGEMENT_PORT: ports === undefined ? undefined : String(ports[name]) };
}

async function listenersOf({ host = '127.0.0.1', port = 3000, edgePort = 8080, tlsPort, publicUrl }: HomeportOptions) {
  const chosen = async (wanted: number) => (wanted === 0 ? freePort(host) : wanted);
  const ofApi = await chosen(port);
  return {
    host,
    port: ofApi,
    edgePort: await chosen(edgePort),
    tlsPort: tlsPort === undefined ? undefined : await chosen(tlsPort),
    publicUrl: publicUrl ?? `http://localhost:${ofApi}`,
  };
}

function supervised([runtime, edge, api]: Started, onRestart: HomeportOptions['onRestart']): Started {
  if (!onRestart) return [runtime, edge, api];
  const each = (child: Child) => supervise(child, { onRestart });
  return [runtime && each(runtime), each(edge), each(api)];
}

type Started = [runtime: Child | undefined, edge: Child, api: Child];
type Starting = [runtime: Promise<Child | undefined>, edge: Promise<Child>, api: Promise<Child>];

async function allStarted(starting: Starting): Promise<Started> {
  try {
    return await Promise.all(starting);
  } catch (error) {
    for (const result of await Promise.allSettled(starting)) {
      if (result.status === 'fulfilled') await result.value?.close();
    }
    throw error;
  }
}

/** Runs the built API until it is ready. @throws {SetupFailed} with its last output when it exits before. */
export async function startApi({ port, host, publicUrl, env, onLog, release = BUILT }: ApiOptions): Promise<Child> {
  const api = startChild({
    name: 'api',
    main: join(release, 'apps/api/src/main.js'),
    cwd: root,
    execArgv: [...LOW_MEMORY_NODE_ARGS, ...exitWithParentArgs()],
    env: {
      MALLOC_ARENA_MAX: '1',
      ...env,
      ...shutdownNoticeOf(env),
      PORT: String(port),
      HOST: host,
      PUBLIC_URL: publicUrl,
      CLIENT_DIR: env['CLIENT_DIR'] || CLIENT,
    },
    onLog,
    stopTimeoutMilliseconds: STOP_TIMEOUT_MILLISECONDS + Number(shutdownNoticeOf(env).SHUTDOWN_NOTICE_MS),
  });
  return readyOrClosed(api, `http://${reachable(host)}:${port}/health/ready`);
}

/**
 * Runs the built edge until it is ready; it waits for the tables that the API creates.
 * @throws {SetupFailed} with its last output when it exits before.
 */
export async function startEdge({ port, host, env, onLog, release = BUILT }: EdgeOptions): Promise<Child> {
  const edge = startChild({
    name: 'edge',
    main: join(release, 'apps/edge/src/main.js'),
    cwd: root,
    execArgv: [...LOW_MEMORY_NODE_ARGS, ...exitWithParentArgs()],
    env: { MALLOC_ARENA_MAX: '1', ...env, ...shutdownNoticeOf(env), EDGE_PORT: String(port), HOST: host },
    onLog,
    stopTimeoutMilliseconds: STOP_TIMEOUT_MILLISECONDS + Number(shutdownNoticeOf(env).SHUTDOWN_NOTICE_MS),
  });
  return readyOrClosed(edge, `http://${reachable(host)}:${port}/health/ready`);
}

/** The processes here have no load balancer in front, so a stop needs no notice period. */
function shutdownNoticeOf(env: Environment): { SHUTDOWN_NOTICE_MS: string } {
  return { SHUTDOWN_NOTICE_MS: env['SHUTDOWN_NOTICE_MS'] || '0' };
}

/** Closes the process when it does not become ready. */
async function readyOrClosed(child: Child, url: string): Promise<Child> {
  let last = 'no answer';
  const isReady = async () => {
    const result = await probe(url);
    last = String(result);
    return result === 200;
  };
  const late = () =>
    new SetupFailed(`${child.name} did not become ready (${url}: ${last}). Its last output:\n${child.tail().trim()}`);
  try {
    const { died } = child;
    await waitUntilReady(isReady, { tries: READY_TRIES, pauseMilliseconds: READY_PAUSE_MILLISECONDS, died, late });
    return child;
  } catch (error) {
    await child.close();
    throw error;
  }
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Returns the status, or the error as text: the server may not listen yet. */
async function probe(url: string): Promise<number | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    return String(error);
  }
}
