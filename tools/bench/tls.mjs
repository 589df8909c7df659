// `npm run bench:tls`: measures handshakes at an edge that has certificates of ten thousand own domains, and its memory.
// Needs a build (`npm start` creates one). Prints the figures and exits with 1 when a target is missed.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { cpus } from 'node:os';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort, LOW_MEMORY_NODE_ARGS } from '../dev-services/index.ts';
import { startBenchFixture } from './bench-fixture.mjs';
import { median, percentile } from './measure.mjs';
import { Verdict } from './verdict.mjs';

const DOMAINS = Number(process.env.BENCH_DOMAINS ?? 10_000);
const DAY_MS = 86_400_000;
const { generateCertificateKey, signCertificate } = await import(
  built('libs/platform/server/src/certificates/index.js')
);
const { certificateContext, parseSecretKey, SecretBox } = await import(
  built('libs/platform/server/src/secrets/index.js')
);

console.log(`${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${DOMAINS} domains`);
const verdict = new Verdict();
const bench = await startBenchFixture();
try {
  const root = { commonName: 'Bench root', key: generateCertificateKey() };
  const names = Array.from({ length: DOMAINS }, (_, i) => `www.customer-${i}.example`);
  await seedDomains(names, root);
  const edge = await openEdge();
  try {
    await measure(edge, shuffled(names), validFrom(root, { ...root, names: [], isAuthority: true }));
  } finally {
    await edge.close();
  }
} finally {
  await bench.close();
}
process.exit(verdict.end());

async function measure(edge, names, ca) {
  const memory = memoryOf(edge.pid);
  const first = [];
  for (const name of names) first.push(await timedHandshake(edge, name, ca));
  const used = memoryOf(edge.pid) - memory;
  print('first handshakes', first);
  verdict.atMost('p99 of the first handshake with one of 10,000 domains', percentile(first, 0.99), 20, ' ms');

  // The contexts of the last 2,000 are kept.
  const cold = [];
  for (const name of names.slice(0, 2_000)) cold.push(await timedHandshake(edge, name, ca));
  print('handshakes with a known domain whose context was dropped', cold);
  verdict.atMost('p99 of a handshake with a dropped context', percentile(cold, 0.99), 20, ' ms');

  const [name] = names;
  const warm = [];
  const resumed = [];
  const session = await sessionOf(edge, name, ca);
  for (let i = 0; i < 2_000; i += 1) {
    warm.push(await timedHandshake(edge, name, ca));
    resumed.push(await timedHandshake(edge, name, ca, session));
  }
  print('handshakes with a kept context', warm);
  print('resumed sessions', resumed);
  verdict.atMost('duration of a resumed session, against a full handshake', median(resumed) / median(warm), 1);
  verdict.atMost('memory for the contexts of 10,000 domains', used, 128, ' MiB');
}

function print(what, times) {
  const [p50, p99] = [median(times), percentile(times, 0.99)];
  console.log(`${what}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, worst ${Math.max(...times).toFixed(2)} ms`);
}

/** Milliseconds from the start of the connection until both sides may send. */
async function timedHandshake({ tlsPort }, servername, ca, session) {
  const started = performance.now();
  const socket = connect({ host: '127.0.0.1', port: tlsPort, servername, ca, session });
  await once(socket, 'secureConnect');
  const took = performance.now() - started;
  if (!socket.authorized || socket.isSessionReused() !== Boolean(session))
    throw new Error(`${servername}: not resumed`);
  socket.destroy();
  return took;
}

async function sessionOf({ tlsPort }, servername, ca) {
  const socket = connect({ host: '127.0.0.1', port: tlsPort, servername, ca });
  socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\n\r\n`);
  const [session] = await once(socket, 'session');
  socket.destroy();
  return session;
}

/** Writes verified domains with a certificate each directly to the database. */
async function seedDomains(names, root) {
  const box = new SecretBox(bench.env.SECRETS_KEYS.split(',').map(parseSecretKey));
  const rows = names.map((name) => {
    const [id, claim, key] = [randomUUID(), randomUUID(), generateCertificateKey()];
    const chain = validFrom(root, { commonName: name, names: [name], key });
    const pem = String(key.export({ type: 'pkcs8', format: 'pem' }));
    return { id, claim, name, chain, sealed: box.seal(pem, certificateContext(id)) };
  });
  const column = (field) => rows.map((row) => row[field]);
  const client = new pg.Client({ connectionString: bench.env.DATABASE_URL });
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into apps.domain_claims (id, organization, kind, name, registrable_domain, token, created_at, verified_at,
       routing, certificate, is_primary, price_usd, card_version, records)
     select id, 'bench', 'base', name, name, id::text, now(), now(), 'here', 'active', false, 50, '1', '[]'
     from unnest($1::uuid[], $2::text[]) as claim (id, name)`,
    [column('claim'), column('name')],
  );
  await client.query(
    `insert into apps.certificates (id, claim_id, names, chain, sealed_key, not_before, not_after, renew_at, serial)
     select id, claim, array[name], chain, sealed, now(), now() + interval '90 days', now() + interval '60 days', id::text
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[]) as each (id, claim, name, chain, sealed)`,
    [column('id'), column('claim'), column('name'), column('chain'), column('sealed')],
  );
  await client.query('commit');
  await client.query('analyze');
  await client.end();
}

function validFrom(issuer, certificate) {
  const now = Date.now();
  const validity = { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 90 * DAY_MS) };
  return signCertificate({ ...validity, ...certificate, issuer });
}

async function openEdge() {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const env = { ...bench.env, EDGE_PORT: String(port), EDGE_TLS_PORT: String(tlsPort), HOST: '127.0.0.1' };
  const stdio = ['ignore', 'inherit', 'inherit'];
  const settings = { ...env, LOG_LEVEL: 'error', MALLOC_ARENA_MAX: '1' };
  const child = spawn(process.execPath, [...LOW_MEMORY_NODE_ARGS, built('apps/edge/src/main.js')], {
    env: settings,
    stdio,
  });
  while (!(await isReady(port))) await new Promise((resolve) => setTimeout(resolve, 50));
  const close = async () => {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  };
  return { tlsPort, pid: child.pid, close };
}

async function isReady(port) {
  try {
    const [response] = await once(get({ port, host: '127.0.0.1', path: '/health/ready' }), 'response');
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}

/** Resident memory of a process, in MiB. */
function memoryOf(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

function shuffled(items) {
  const random = new Map(items.map((item) => [item, Math.random()]));
  return items.toSorted((one, other) => random.get(one) - random.get(other));
}

function built(file) {
  return fileURLToPath(new URL(`../../dist/api/${file}`, import.meta.url));
}
