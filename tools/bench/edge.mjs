// `npm run bench:edge`: compares the edge with a bare Node HTTP server that sends the same bytes from memory and with
// nginx that sends them from disk, one core each; and measures the first request to each of ten thousand apps. Needs a
// build (`npm start` creates one) and nginx. Prints the figures and exits with 1 when a target is missed.
import { execFileSync, spawn } from 'node:child_process';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { findPrograms, freePort } from '../dev-services/index.ts';
import { interleaved, median, round } from './measure.mjs';
import { startBenchFixture } from './bench-fixture.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const CALLS = 100_000;
const APPS = 10_000;
const DOMAIN = 'apps.localhost';
/** The measured server runs alone on the first core, the load generator on the second. */
const [MEASURED, MEASURING] = ['0', '1'];
const NGINX = { title: 'nginx', packages: ['nginx-light'], programs: ['nginx'] };
const WARM = `bench-warm.${DOMAIN}`;
const PAGE = Buffer.from(randomBytes(7_680).toString('base64'));
const verdict = new Verdict();
const closers = [];

console.log(
  `${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds each, interleaved, medians`,
);
const bench = await startBenchFixture();
closers.push(() => bench.close());
try {
  const [warm] = await seed();
  await cold();
  execFileSync('taskset', ['-a', '-p', '-c', MEASURING, String(process.pid)]);
  await againstOthers(warm);
} finally {
  for (const close of closers.toReversed()) await close();
}
process.exit(verdict.end());

/** Writes apps with one page each directly to the edge's storage. */
async function seed() {
  const { blobKey } = await import(built('libs/platform/server/src/blobs/index.js'));
  const { S3BlobStore } = await import(built('libs/platform/server/src/storage/index.js'));
  const store = new S3BlobStore({
    bucket: bench.env.S3_BUCKET,
    region: bench.env.S3_REGION,
    endpoint: bench.env.S3_ENDPOINT,
    forcePathStyle: bench.env.S3_FORCE_PATH_STYLE === 'true',
    credentials: { accessKeyId: bench.env.S3_ACCESS_KEY_ID, secretAccessKey: bench.env.S3_SECRET_ACCESS_KEY },
  });
  const labels = [WARM.split('.')[0], ...Array.from({ length: APPS }, (_, i) => `bench-${i}`)];
  const sites = labels.map((label, i) => {
    const bytes = i === 0 ? PAGE : Buffer.concat([PAGE.subarray(0, 2_000), Buffer.from(label)]);
    return {
      label,
      bytes,
      digest: hash('sha256', bytes, 'hex'),
      app: randomUUID(),
      deploy: randomUUID(),
      blob: randomUUID(),
    };
  });
  const left = [...sites];
  const signal = new AbortController().signal;
  const work = async () => {
    for (let site = left.pop(); site; site = left.pop()) {
      await store.put(blobKey('bench', site.digest, site.blob), 'identity', site.bytes, signal);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  await writeDown(sites);
  return sites;
}

async function writeDown(sites) {
  const client = new pg.Client({ connectionString: bench.env.DATABASE_URL });
  await client.connect();
  const column = (name) => sites.map((site) => site[name]);
  await client.query('begin');
  await client.query(
    `insert into apps.apps (id, organization, name, subdomain, type, created_by)
     select id, 'bench', label, label, 'static', 'bench' from unnest($1::uuid[], $2::text[]) as site (id, label)`,
    [column('app'), column('label')],
  );
  await client.query(
    `insert into apps.deploys (id, app_id, organization, status, created_by, ready_at)
     select deploy, app, 'bench', 'ready', 'bench', now() from unnest($1::uuid[], $2::uuid[]) as site (deploy, app)`,
    [column('deploy'), column('app')],
  );
  await client.query(
    `insert into apps.blobs (id, organization, digest, size, state)
     select id, 'bench', decode(digest, 'hex'), size, 'stored'
     from unnest($1::uuid[], $2::text[], $3::bigint[]) as blob (id, digest, size)`,
    [column('blob'), column('digest'), sites.map(({ bytes }) => bytes.length)],
  );
  await client.query(
    `insert into apps.deploy_files (deploy_id, path, size, content_type, digest, blob_id)
     select deploy, 'index.html', size, 'text/html; charset=utf-8', decode(digest, 'hex'), blob
     from unnest($1::uuid[], $2::bigint[], $3::text[], $4::uuid[]) as file (deploy, size, digest, blob)`,
    [column('deploy'), sites.map(({ bytes }) => bytes.length), column('digest'), column('blob')],
  );
  await client.query(
    `update apps.apps a set active_deploy_id = site.deploy
     from unnest($1::uuid[], $2::uuid[]) as site (app, deploy) where a.id = site.app`,
    [column('app'), column('deploy')],
  );
  await client.query('commit');
  await client.query('analyze');
  await client.end();
}

/** Measures the first request to each of ten thousand sites, in random order, in milliseconds. */
async function cold() {
  const edge = await openEdge();
  const agent = new Agent({ keepAlive: true });
  const hosts = Array.from({ length: APPS }, (_, i) => `bench-${i}.${DOMAIN}`).sort(() => Math.random() - 0.5);
  const times = [];
  const visit = async () => {
    for (let host = hosts.pop(); host; host = hosts.pop()) {
      const started = performance.now();
      const { status } = await get(edge.port, { host }, agent);
      if (status !== 200) throw new Error(`${host}: ${status}`);
      times.push(performance.now() - started);
    }
  };
  await visit();
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  console.log(`first looks at ${times.length} apps: p50 ${at(0.5).toFixed(2)} ms, worst ${times.at(-1).toFixed(2)} ms`);
  verdict.atMost('p99 of the first look at one of 10,000 apps', at(0.99), 20, ' ms');
  agent.destroy();
  await edge.close();
}

async function againstOthers() {
  const edge = await openEdge(['taskset', '-c', MEASURED]);
  closers.push(edge.close);
  const answer = await get(edge.port, { host: WARM });
  const { etag } = answer.headers;
  const same = await get(edge.port, { host: WARM, 'if-none-match': etag });
  const bare = await openBare({ body: answer.body, etag, headers: said(answer), unchanged: said(same) });
  const nginx = await openNginx(answer);
  const servers = { edge: { ...edge, etag }, bare: { ...bare, etag }, ...(nginx && { nginx }) };
  for (const [what, conditional] of [
    ['10 KiB', false],
    ['304', true],
  ]) {
    const measure = ({ port, pid, etag: known }) => {
      const headers = { host: WARM, ...(conditional && { 'if-none-match': known }) };
      return () =>
        round({ url: `http://127.0.0.1:${port}/`, pid, headers, amount: CALLS, status: conditional ? 304 : 200 });
    };
    const each = Object.entries(servers).map(([name, server]) => [name, measure(server)]);
    judge(what, await interleaved(ROUNDS, Object.fromEntries(each)));
  }
  if (!nginx) verdict.failed('nginx is not installed: apt-get install nginx-light');
}

/** Compares CPU time per request, because the load generator may be slower than the measured server. */
function judge(what, times) {
  const of = (name, figure) => median(times[name].map((each) => each[figure]));
  const perCore = (name) => 1_000 / of(name, 'cpu');
  for (const name of Object.keys(times)) {
    console.log(
      `${what}, ${name}: ${of(name, 'rps').toFixed(0)}/s, ${(1_000 * of(name, 'cpu')).toFixed(1)} µs of CPU each`,
    );
  }
  verdict.atLeast(
    `${what} a second of a core, against a bare Node HTTP server`,
    perCore('edge') / perCore('bare'),
    0.9,
  );
  if (times.nginx)
    verdict.atLeast(`${what} a second of a core, against nginx`, perCore('edge') / perCore('nginx'), 0.5);
}

function built(file) {
  return fileURLToPath(new URL(`../../dist/api/${file}`, import.meta.url));
}

async function openEdge(before = []) {
  const port = await freePort('127.0.0.1');
  const [program, ...args] = [...before, process.execPath, built('apps/edge/src/main.js')];
  const env = { ...bench.env, EDGE_PORT: String(port), HOST: '127.0.0.1', PLATFORM_DOMAIN: DOMAIN, LOG_LEVEL: 'error' };
  const child = spawn(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const ready = () => get(port, { host: 'localhost' }, undefined, '/health/ready').catch(() => ({ status: 0 }));
  while ((await ready()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
  return { port, pid: child.pid, close: () => stop(child) };
}

async function openBare(message) {
  const file = fileURLToPath(new URL('./bare-server.mjs', import.meta.url));
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
  const child = spawn('taskset', ['-c', MEASURED, process.execPath, file], { stdio });
  closers.push(() => stop(child));
  child.send(message);
  const [port] = await once(child, 'message');
  return { port, pid: child.pid };
}

/** One nginx worker that sends the page from a file with the same headers. @returns undefined without nginx. */
async function openNginx({ body, headers }) {
  const found = await findPrograms(NGINX, process.env.PATH);
  if (!found) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-nginx-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'site'));
  // The nginx worker does not run as root.
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'site/index.html'), Buffer.from(body, 'base64'));
  const port = await freePort('127.0.0.1');
  const added = ['x-content-type-options', 'cache-control'].map((name) => {
    return `add_header ${name} "${headers[name]}";`;
  });
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log stderr error;
     events { worker_connections 1024; }
     http {
       access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; default_type text/html; charset utf-8;
       ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
       server { listen 127.0.0.1:${port}; root ${folder}/site; ${added.join(' ')} }
     }`,
  );
  const args = ['-c', MEASURED, join(found.get('nginx'), 'nginx'), '-p', folder, '-c', join(folder, 'nginx.conf')];
  const child = spawn('taskset', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  closers.push(() => stop(child));
  const ask = () => get(port, { host: WARM }).catch(() => undefined);
  let answer = await ask();
  while (!answer) answer = await ask();
  return { port, pid: child.pid, etag: answer.headers.etag };
}

async function stop(child) {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

/** Returns the headers that Node does not add itself, as alternating names and values. */
function said({ rawHeaders }) {
  return rawHeaders.filter((_, at) => !/^(date|connection|keep-alive)$/i.test(rawHeaders[at - (at % 2)]));
}

async function get(port, headers, agent, path = '/') {
  const exchange = request({ port, host: '127.0.0.1', path, headers, agent });
  exchange.end();
  const [response] = await once(exchange, 'response');
  const body = Buffer.concat(await response.toArray()).toString('base64');
  return { status: response.statusCode, headers: response.headers, rawHeaders: response.rawHeaders, body };
}
