import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import autocannon from 'autocannon';

const TICKS_PER_SECOND = 100;

/** CPU time used by a process so far, user and system, in milliseconds. */
export function cpuOf(pid) {
  return milliseconds(statOf(pid).slice(11, 13));
}

/** CPU time used so far by a process and its children, also those that ended, in milliseconds. */
export function cpuWithChildrenOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return milliseconds(statOf(pid).slice(11, 15)) + children.reduce((sum, child) => sum + cpuOf(child), 0);
}

/** The parent of a process. */
export function parentOf(pid) {
  return Number(statOf(pid)[1]);
}

/** The fields of a process from its state on: see proc_pid_stat(5). */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

function milliseconds(ticks) {
  return (ticks.reduce((sum, count) => sum + Number(count), 0) * 1000) / TICKS_PER_SECOND;
}

/** Peak resident memory of a process, in MiB. */
export function peakMemoryOf(pid) {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/**
 * Runs one round of a workload. @returns CPU milliseconds per request of the process `pid`, and requests per second.
 */
export async function round({ pid, url, method = 'GET', headers = {}, body, connections = 16, amount, status = 200 }) {
  const before = pid === undefined ? 0 : cpuOf(pid);
  const started = performance.now();
  const result = await autocannon({ url, method, headers, body, connections, amount, sampleInt: 50 });
  const good = status === 304 ? result['3xx'] : result['2xx'];
  if (good !== amount) throw new Error(`${method} ${url}: ${good} of ${amount} responses succeeded`);
  return {
    cpu: pid === undefined ? undefined : (cpuOf(pid) - before) / amount,
    rps: (amount * 1000) / (performance.now() - started),
  };
}

/** Sends or reads one large body. @returns MiB per second. */
export async function transfer({ url, method, headers, bytes }) {
  const started = performance.now();
  const received = await new Promise((resolve, reject) => {
    const sent = method === 'PUT' ? { ...headers, 'content-length': bytes } : headers;
    const exchange = request(url, { method, headers: sent }, (response) => {
      let size = 0;
      response.on('data', (chunk) => (size += chunk.length));
      response.on('end', () => resolve(response.statusCode < 300 ? size : -1));
      response.on('error', reject);
    });
    exchange.on('error', reject);
    if (method === 'PUT') writeAll(exchange, bytes);
    else exchange.end();
  });
  if (received < 0 || (method === 'GET' && received !== bytes)) throw new Error(`${method} ${url} failed`);
  return (bytes * 1000) / 1024 / 1024 / (performance.now() - started);
}

const CHUNK = Buffer.alloc(64 * 1024, 'x');

function writeAll(exchange, bytes) {
  let left = bytes;
  const write = () => {
    while (left > 0) {
      left -= CHUNK.length;
      if (!exchange.write(CHUNK)) return exchange.once('drain', write);
    }
    return exchange.end();
  };
  write();
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export function percentile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Runs the measurements in turn, once per round; the first round is a warm-up. @returns the results by name. */
export async function interleaved(rounds, measurements) {
  const results = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (let i = 0; i <= rounds; i++) {
    for (const [name, measure] of Object.entries(measurements)) {
      const result = await measure();
      if (i > 0) results[name].push(result);
    }
  }
  return results;
}
