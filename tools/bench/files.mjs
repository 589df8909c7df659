// `npm run bench:files`: compares the file gateway with direct S3 and with a plain
// gateway over the AWS SDK, interleaved in one run. Needs a build (`npm start`
// creates one). Prints the figures and exits with 1 when a target is missed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { interleaved, median, peakMemoryOf, round, transfer } from './measure.mjs';
import { startBenchFixture, seed } from './bench-fixture.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const KIB = 1024;
const MIB = 1024 * KIB;
const MANY = 100_000;
const verdict = new Verdict();

console.log(
  `${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds each, interleaved, medians`,
);
// On a separate fixture: earlier measurements would raise the peak memory.
await withBenchFixture(uploadsInParallel);
await withBenchFixture(async (fixture) => {
  await smallRequests(fixture);
  await largeFiles(fixture);
  await longListings(fixture);
});
process.exit(verdict.end());

async function withBenchFixture(measure) {
  const fixture = await startBenchFixture();
  try {
    await measure(fixture);
  } finally {
    await fixture.close();
  }
}

async function smallRequests(fixture) {
  const { ours } = fixture;
  const sdk = await startSdkGateway(fixture);
  try {
    for (const path of ['4k.bin', 'put.bin']) {
      await fetch(`${ours.url}/api/files/${path}`, { ...ours, method: 'PUT', body: Buffer.alloc(4 * KIB, 'x') });
    }
    await seed(fixture, namesOf('list', 1_000));
    const body = Buffer.alloc(4 * KIB, 'x');
    const get = { path: '/api/files/4k.bin', amount: 8_000 };
    const put = { path: '/api/files/put.bin', method: 'PUT', body, amount: 3_000 };
    const list = { path: '/api/files?prefix=list/&limit=1000', amount: 200, connections: 8 };
    const gets = await compare('GET 4 KiB', get, { ours, sdk: sdk.target, direct: fixture.direct('4k.bin') });
    const puts = await compare('PUT 4 KiB', put, { ours, sdk: sdk.target });
    const lists = await compare('LIST 1,000', list, { ours, sdk: sdk.target });
    verdict.atMost('GET 4 KiB, CPU', gets.ours.cpu, 0.4, ' ms');
    verdict.atMost('PUT 4 KiB, CPU', puts.ours.cpu, 0.5, ' ms');
    verdict.atMost('LIST 1,000, CPU', lists.ours.cpu, 4, ' ms');
    verdict.atLeast('GET 4 KiB, requests a second against direct S3', gets.ours.rps / gets.direct.rps, 0.75);
  } finally {
    sdk.stop();
  }
}

async function startSdkGateway({ env, issuer, prefix, ours }) {
  const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const child = fork(new URL('./sdk-gateway.mjs', import.meta.url), {
    env: { ...env, AUTH_JWKS_URI: discovery.jwks_uri, BENCH_PREFIX: prefix },
  });
  const [port] = await once(child, 'message');
  const target = { url: `http://127.0.0.1:${port}`, pid: child.pid, headers: ours.headers };
  return { target, stop: () => child.kill() };
}

async function compare(name, workload, targets) {
  const measurements = Object.entries(targets).map(([each, { url, pid, headers, path = workload.path }]) => [
    each,
    () => round({ ...workload, url: url + path, pid, headers }),
  ]);
  const results = await interleaved(ROUNDS, Object.fromEntries(measurements));
  const medians = Object.fromEntries(
    Object.entries(results).map(([each, rounds]) => [
      each,
      { cpu: median(rounds.map(({ cpu }) => cpu)), rps: median(rounds.map(({ rps }) => rps)) },
    ]),
  );
  const words = Object.entries(medians).map(
    ([each, { cpu, rps }]) => `${each} ${cpu === undefined ? '' : `${cpu.toFixed(2)} ms, `}${rps.toFixed(0)}/s`,
  );
  console.log(`${name}: ${words.join(' | ')}`);
  return medians;
}

async function largeFiles(fixture) {
  const bytes = 64 * MIB;
  const { url, headers } = fixture.ours;
  for (const method of ['PUT', 'GET']) {
    const direct = fixture.direct('direct-64m.bin', method);
    const { ours, s3 } = await interleaved(ROUNDS, {
      ours: () => transfer({ url: `${url}/api/files/64m.bin`, method, headers, bytes }),
      s3: () => transfer({ url: direct.url + direct.path, method, headers: {}, bytes }),
    });
    console.log(`${method} 64 MiB: ours ${median(ours).toFixed(0)} MiB/s | direct ${median(s3).toFixed(0)} MiB/s`);
    verdict.atLeast(`${method} 64 MiB, against direct S3`, median(ours) / median(s3), 0.8);
  }
}

async function longListings(fixture) {
  const { ours } = fixture;
  await seed(fixture, namesOf('many', MANY));
  const first = (prefix) => async () => {
    const { rps } = await round({
      url: `${ours.url}/api/files?prefix=${prefix}/&limit=1000`,
      headers: ours.headers,
      connections: 1,
      amount: 40,
    });
    return 1000 / rps;
  };
  const { few, many } = await interleaved(ROUNDS, { few: first('list'), many: first('many') });
  console.log(`first page: of 1,000 keys ${median(few).toFixed(1)} ms | of 100,000 ${median(many).toFixed(1)} ms`);
  verdict.atMost('first page of 100,000 keys against 1,000', median(many) / median(few), 1.2);
}

async function uploadsInParallel({ ours, api }) {
  const idle = peakMemoryOf(api.pid);
  const uploads = Array.from({ length: 32 }, (_, i) =>
    transfer({ url: `${ours.url}/api/files/parallel-${i}`, method: 'PUT', headers: ours.headers, bytes: 64 * MIB }),
  );
  await Promise.all(uploads);
  console.log(`memory: ${idle.toFixed(0)} MiB before, ${peakMemoryOf(api.pid).toFixed(0)} MiB at 32 uploads of 64 MiB`);
  verdict.atMost('memory at 32 parallel uploads of 64 MiB', peakMemoryOf(api.pid), 200, ' MiB');
}

function namesOf(folder, amount) {
  return Array.from({ length: amount }, (_, i) => `${folder}/file%20${i}.md`);
}
