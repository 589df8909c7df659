import { request } from 'node:http';
import { join } from 'node:path';
import type { Environment } from '@homeport/platform/server/config';
import { causeCodeOf } from '@homeport/platform/server/observability';
import type { Config } from '../config';
import { type Check, type Finding, fault, ok, warning } from './check';
import { databaseAddressOf, withDatabase } from './database-connection';
import { explainDatabase } from './database-checks';

/** Shorter than the check, which reports a fault after its limit. */
const PUBLIC_URL_LIMIT_MS = 5_000;
/** Shorter than the check, which would otherwise blame PostgreSQL. */
const SOCKET_LIMIT_MS = 3_000;
const RUNTIMES = `select count(*)::int as runtimes from pg_stat_activity where application_name = 'homeport-runtime-changes'`;

/** The public address of the product, and the runtimes of SSR apps. */
export function productChecks(config: Config, env: Environment): readonly Check[] {
  const publicUrl: Check = {
    name: 'public-url',
    explain: (code) => ({ detail: `${config.publicUrl} fails (${code}).`, remedy: 'Correct PUBLIC_URL.' }),
    run: (signal) => checkPublicUrl(config, signal),
  };
  if (config.RUNTIME !== 'pooled') return [publicUrl];
  const runtime: Check = {
    name: 'runtime',
    needs: ['database'],
    explain: (code) => explainDatabase(code, databaseAddressOf(config)),
    run: (signal) => checkRuntimes(config, env['RUNTIME_DIR'], signal),
  };
  return [publicUrl, runtime];
}

/** A warning only: the product need not run yet, and its own machine may not reach the public address. */
async function checkPublicUrl({ publicUrl }: Config, signal: AbortSignal): Promise<Finding> {
  const limit = AbortSignal.timeout(PUBLIC_URL_LIMIT_MS);
  try {
    const { status, body } = await fetch(`${publicUrl}/health/live`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    await body?.cancel();
    if (status === 200) return ok(`Homeport answers at ${publicUrl}.`);
    return warning(
      `${publicUrl}/health/live answers ${status}.`,
      'Start Homeport, and check PUBLIC_URL and the proxy.',
    );
  } catch (error) {
    return warning(
      `${publicUrl} cannot be reached from this machine (${limit.aborted ? 'timeout' : causeCodeOf(error)}).`,
      'Start Homeport and the proxy in front of it, or correct PUBLIC_URL.',
    );
  }
}

/** A runtime connects to the database; its socket answers after the sandbox has passed its examination. */
async function checkRuntimes(config: Config, folder: string | undefined, signal: AbortSignal): Promise<Finding> {
  if (folder !== undefined && folder !== '') {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(SOCKET_LIMIT_MS)]);
    return socketFinding(folder, await socketStatus(join(folder, 'runtime.sock'), limit));
  }
  const { rows } = await withDatabase(config, (client) => client.query<{ runtimes: number }>(RUNTIMES));
  const runtimes = rows[0]?.runtimes ?? 0;
  if (runtimes > 0) return ok(`Runtimes that are connected to the database: ${runtimes}.`);
  return warning(
    'No runtime is connected to the database, so that SSR apps do not run.',
    'Start a runtime beside each edge, or set RUNTIME=off.',
  );
}

const START_REMEDY =
  'If it does not start, read its log, and run its own check: node dist/api/apps/runtime/src/main.js doctor.';

/** @param status the code of the failure when the socket did not answer. */
function socketFinding(folder: string, status: number | string): Finding {
  const runtime = `The runtime in ${folder}`;
  if (status === 200) return ok(`${runtime} is ready.`);
  if (typeof status === 'number') {
    const remedy = 'Read its log: it is ready while PostgreSQL answers it.';
    return fault(`${runtime} is not ready (${status}).`, remedy);
  }
  if (status === 'ENOENT') {
    const remedy = `Start a runtime with this RUNTIME_DIR, or correct it. ${START_REMEDY}`;
    return fault(`No runtime has its socket in ${folder} (ENOENT).`, remedy);
  }
  if (status === 'EACCES') {
    const remedy = 'Run both as one user, or as users of one group that may enter the folder.';
    return fault(`This user may not connect to the socket in ${folder} (EACCES).`, remedy);
  }
  if (status === 'ECONNREFUSED') return fault(`${runtime} has ended (ECONNREFUSED).`, `Start it. ${START_REMEDY}`);
  return fault(`${runtime} does not answer (${status}).`, 'Read its log, and restart it.');
}

function socketStatus(socketPath: string, signal: AbortSignal): Promise<number | string> {
  return new Promise((resolve) => {
    const call = request({ socketPath, path: '/health/ready', signal }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.once('error', (error) => resolve(causeCodeOf(error)));
    call.end();
  });
}
