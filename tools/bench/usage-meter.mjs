import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TICK_MS = 10;
const WARM_UP_MS = 5_000;
const built = (path) => import(fileURLToPath(new URL(`../../dist/api/${path}`, import.meta.url)));

/**
 * Runs the meter alone at a rate of calls: its hook, the file of each second, and the delivery to PostgreSQL every ten
 * seconds, but no HTTP. The calls are those of 100 people in 10 organizations.
 * @returns microseconds of CPU of this process for each call, without those of the same calls to an empty hook.
 */
export async function meterCost({ databaseUrl, rate, seconds }) {
  await import('reflect-metadata');
  const { meterRequests } = await built('apps/api/src/usage/meter-requests.js');
  const { createDatabase } = await built('libs/platform/server/src/database/index.js');
  const { FileUsageSpool, PostgresUsageStore, PostgresStorageLedger, UsageRecorder, WorkspaceChanges } = await built(
    'libs/usage/server/src/index.js',
  );
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-meter-'));
  const database = await createDatabase({ url: databaseUrl, poolSize: 2, entities: [], migrations: [] }).open();
  const fail = (error) => {
    throw error;
  };
  const recorder = new UsageRecorder({
    ...{ store: new PostgresUsageStore(database), spool: new FileUsageSpool(folder), reportFailure: fail },
  });
  const workspaceChanges = new WorkspaceChanges(new PostgresStorageLedger(database), fail);
  try {
    const empty = await cpuOfCalls((_request, _reply, done) => done(), { rate, seconds });
    await recorder.start();
    workspaceChanges.start();
    const hooks = [];
    meterRequests({ addHook: (_name, hook) => hooks.push(hook) }, { recorder, workspaceChanges });
    const metered = await cpuOfCalls(hooks[0], { rate, seconds });
    if (recorder.counted < rate * seconds) throw new Error(`${recorder.counted} calls were counted`);
    return metered - empty;
  } finally {
    await Promise.all([recorder.stop(), workspaceChanges.stop()]);
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns microseconds of CPU for each call. */
async function cpuOfCalls(hook, { rate, seconds }) {
  await callAtRate(hook, rate, WARM_UP_MS);
  const before = process.cpuUsage();
  const calls = await callAtRate(hook, rate, seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

async function callAtRate(hook, rate, durationMs) {
  const people = Array.from({ length: 100 }, (_, n) => ({
    issuer: 'https://id.bench.example',
    subject: `person-${n}`,
    organization: `org-${n % 10}`,
  }));
  const reply = { statusCode: 200 };
  const started = performance.now();
  let calls = 0;
  for (let elapsed = 0; elapsed < durationMs; elapsed = performance.now() - started) {
    for (const due = Math.min(elapsed, durationMs) * (rate / 1_000); calls < due; calls++) {
      const request = { method: 'GET', routeOptions: { url: '/api/files/*' }, user: people[calls % people.length] };
      hook(request, reply, () => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  return calls;
}
