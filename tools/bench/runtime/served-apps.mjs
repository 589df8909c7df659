// Measures SSR apps through the whole product: edge, runtime and sandbox.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { interleaved, median, percentile } from '../measure.mjs';
import { deployServer, startSsrProduct } from '../ssr-product.mjs';
import { SERVER_FILE } from './sample-apps.mjs';

const APPS = Number(process.env.BENCH_APPS ?? 100);
const OVERHEAD_ROUNDS = 9;
const REQUESTS = 2_000;
const POLL_MS = 250;
const MEBIBYTE = 1024 ** 2;

/**
 * @param apps the servers from `sampleApps`.
 * @param direct unix socket of the plain server, without edge and runtime.
 */
export async function measureServedApps(verdict, { plain, react }, direct) {
  const product = await startSsrProduct();
  try {
    const stop = await product.startRuntime('bubblewrap');
    const call = await product.callerOf('bench');
    await measureOverhead(verdict, await deployServer(call, serverOf('Plain', plain)), { product, direct });
    const apps = [];
    for (let count = 1; count <= APPS; count += 1) apps.push(await deployServer(call, serverOf(`App ${count}`, react)));
    await untilAsleep(call, apps);
    const bytes = await Promise.all(apps.map(({ id }) => memoryOf(call, id)));
    console.log(`memory of ${APPS} suspended apps: ${(bytes.reduce((a, b) => a + b) / MEBIBYTE).toFixed(0)} MiB`);
    await wake(verdict, 'suspended', { product, apps });
    await stop();
    // A new runtime has no instances: every app starts at its first request.
    await product.startRuntime('bubblewrap');
    await wake(verdict, 'stopped', { product, apps });
  } finally {
    await product.close();
  }
}

const serverOf = (name, bytes) => ({ name, files: [[SERVER_FILE, bytes]] });

/** Compares requests through edge and runtime with requests to the same server, one after the other. */
async function measureOverhead(verdict, { hostname }, { product, direct }) {
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  const through = { host: '127.0.0.1', port: product.edgePort, headers: { host: hostname }, agent: agents[0] };
  const times = await interleaved(OVERHEAD_ROUNDS, {
    direct: () => responseTime({ socketPath: direct, agent: agents[1] }),
    product: () => responseTime(through),
  });
  for (const agent of agents) agent.destroy();
  const [plain, forwarded] = [median(times.direct), median(times.product)];
  console.log(`a request: ${plain.toFixed(3)} ms directly, ${forwarded.toFixed(3)} ms through edge and runtime (p50)`);
  verdict.atMost('overhead over a direct request, p50', forwarded - plain, 0.3, ' ms');
}

/** @returns the median of many requests, in milliseconds. */
async function responseTime(options) {
  const times = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    const started = performance.now();
    const sent = request(options).end();
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'end');
    times.push(performance.now() - started);
    if (response.statusCode !== 200) throw new Error(`The app answered ${response.statusCode}.`);
  }
  return median(times);
}

/** Waits until every app is suspended. */
async function untilAsleep(call, apps) {
  const isAsleep = async ({ id }) => (await call('GET', `/api/apps/${id}`)).runtime.state === 'idle';
  for (const app of apps) while (!(await isAsleep(app))) await pause(POLL_MS);
}

async function memoryOf(call, id) {
  const { instances } = await call('GET', `/api/apps/${id}/runtime`);
  return instances.reduce((sum, instance) => sum + instance.memory_bytes, 0);
}

/** Visits one app after the other. */
async function wake(verdict, state, { product, apps }) {
  const times = [];
  let failed = 0;
  for (const { hostname } of apps) {
    const started = performance.now();
    const { status } = await product.visit(hostname, '/');
    times.push(performance.now() - started);
    if (status !== 200) failed += 1;
  }
  const [p50, p95] = [median(times), percentile(times, 0.95)].map((ms) => ms.toFixed(1));
  console.log(`first visit of ${APPS} ${state} apps, one after the other: p50 ${p50} ms, p95 ${p95} ms`);
  verdict.atMost(`failed first visits of ${state} apps`, failed, 0);
}
