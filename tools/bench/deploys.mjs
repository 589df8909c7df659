// `npm run bench:deploys`: measures a deploy by digest when one file of 20,000 has changed. Needs a build (`npm start`
// creates one). Prints the figures and exits with 1 when a target is missed.
import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { cpus } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { median } from './measure.mjs';
import { startBenchFixture } from './bench-fixture.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const FILES = Number(process.env.BENCH_FILES ?? 20_000);
const MEGABYTE = 1_000_000;
const JSON_TYPE = { 'content-type': 'application/json' };
const verdict = new Verdict();

console.log(`${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds, medians`);
const fixture = await startBenchFixture();
try {
  await oneOfMany();
} finally {
  await fixture.close();
}
process.exit(verdict.end());

async function oneOfMany() {
  const site = new Map(Array.from({ length: FILES - 1 }, (_, i) => [pathOf(i), contentOf(i)]));
  site.set('index.html', '<title>0</title>');
  const app = (await send('POST /api/apps', JSON.stringify({ name: 'Bench deploys' }), JSON_TYPE)).body;
  const archive = await tarGz(site);
  console.log(`seeding ${site.size} files, ${(archive.length / MEGABYTE).toFixed(1)} MB as an archive`);
  const seeded = await send(`POST /api/apps/${app.id}/deploys`, archive, { 'content-type': 'application/gzip' });
  if (seeded.status !== 201) throw new Error(`the archive was answered with ${seeded.status} ${seeded.body.code}`);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round++) {
    site.set('index.html', `<title>${round}</title>`);
    rounds.push(await deploy(app.id, site));
  }
  const of = (name) => median(rounds.map((round) => round[name]));
  const steps = ['hashing', 'starting', 'uploading', 'finishing'].map((name) => `${name} ${of(name).toFixed(0)} ms`);
  console.log(`one file of ${site.size} changed: ${steps.join(', ')}; ${of('blobs')} blob sent`);
  verdict.atMost(`a deploy with one changed file of ${site.size}`, of('total') / 1_000, 2, ' s');
  verdict.atMost('sent for it, headers included', of('bytes') / MEGABYTE, 2, ' MB');
}

/** Deploys by digest. @returns milliseconds of the steps, and the sent bytes. */
async function deploy(appId, site) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = { started: performance.now() };
  const byDigest = new Map();
  const files = {};
  for (const [path, content] of site) {
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    byDigest.set(digest, content);
    files[path] = { digest, size: Buffer.byteLength(content) };
  }
  const manifest = gzipSync(JSON.stringify({ files }));
  times.hashed = performance.now();
  const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  const { body: started, status } = await send(`POST /api/apps/${appId}/deploys`, manifest, gzip, agent);
  if (status !== 201) throw new Error(`the manifest was answered with ${status} ${started.code}`);
  times.begun = performance.now();
  for (const digest of started.missing) {
    await send(`PUT /api/deploys/${started.id}/blobs/${digest}`, byDigest.get(digest), {}, agent);
  }
  times.uploaded = performance.now();
  const finished = await send(`POST /api/deploys/${started.id}/finish`, undefined, {}, agent);
  const end = performance.now();
  if (finished.body.status !== 'ready') throw new Error(`finishing was answered with ${finished.status}`);
  const bytes = finished.socket.bytesWritten;
  agent.destroy();
  return {
    hashing: times.hashed - times.started,
    starting: times.begun - times.hashed,
    uploading: times.uploaded - times.begun,
    finishing: end - times.uploaded,
    total: end - times.started,
    blobs: started.missing.length,
    bytes,
  };
}

/** Sends a request on the connection of the agent, whose sent bytes can be counted. */
async function send(target, body, headers, agent = new Agent()) {
  const [method, path] = target.split(' ');
  const { url, headers: authorization } = fixture.ours;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = request(url + path, { method, agent, headers: { ...authorization, ...headers, ...length } });
  outgoing.end(body);
  const response = await new Promise((resolve, reject) => outgoing.on('response', resolve).on('error', reject));
  const { socket } = outgoing;
  const bytes = await buffer(response);
  return { status: response.statusCode, body: bytes.length > 0 ? JSON.parse(bytes) : null, socket };
}

async function tarGz(site) {
  const archive = pack();
  const bytes = buffer(archive);
  for (const [name, content] of site) archive.entry({ name }, content);
  archive.finalize();
  return gzipSync(await bytes);
}

function pathOf(i) {
  return `assets/pages/section-${i % 40}/chunk-${createHash('sha256').update(`${i}`).digest('hex').slice(0, 8)}.js`;
}

function contentOf(i) {
  return `export const page = ${i};`;
}
