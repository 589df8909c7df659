import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const TICKS_PER_SECOND = 100;

/** Milliseconds of CPU a process has used so far, in user and system mode. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Peak resident memory of a process, in MiB. */
export function peakMemoryOf(pid) {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** One round of a workload: CPU milliseconds a request of the process behind it, requests a second, median latency. */
export async function round({ pid, url, method = 'GET', headers = {}, body, connections = 16, amount }) {
  const before = pid === undefined ? 0 : cpuOf(pid);
  const result = await autocannon({ url, method, headers, body, connections, amount });
  const good = result['2xx'];
  if (good !== amount) throw new Error(`${method} ${url}: ${good} of ${amount} answers were good`);
  return {
    cpu: pid === undefined ? undefined : (cpuOf(pid) - before) / amount,
    rps: amount / result.duration,
    p50: result.latency.p50,
  };
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
