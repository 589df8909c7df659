import { readFileSync } from 'node:fs';
import { scrape, type Scrape, valueOf } from '../metrics/scrape';
import type { ProductProcess } from '../product-processes';

const MIB = 1024 * 1024;
const QUIET_SAMPLES = 10;
const QUIET_SAMPLE_MS = 2_000;

/** What a process without load has open. */
export interface Usage {
  readonly descriptors: number;
  readonly sockets: number;
  readonly timers: number;
  /** The descriptors of the last sample by what they refer to. */
  readonly kinds: Readonly<Record<string, number>>;
}

/** The metrics of memory, in bytes. `external` includes the buffers. */
const MEMORY = {
  resident: 'process_resident_memory_bytes',
  heapUsed: 'nodejs_heap_size_used_bytes',
  heapTotal: 'nodejs_heap_size_total_bytes',
  external: 'nodejs_external_memory_bytes',
};

type Metric = keyof typeof MEMORY;
/** `malloc` is the resident part of the heap of malloc, with what was freed and not returned to the system. */
type Memory = Readonly<Record<Metric | 'malloc', number>>;

export interface MemorySample {
  /** Minutes since the beginning. */
  readonly at: number;
  readonly mib: Memory;
}

/** The least of some samples without load: background jobs open connections for moments. */
export async function quietUsage(port: number, process: ProductProcess): Promise<Usage> {
  const all: Usage[] = [];
  for (let count = 0; count < QUIET_SAMPLES; count += 1) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_SAMPLE_MS));
    all.push(usageIn(await scrape(port), process));
  }
  const least = (what: 'descriptors' | 'sockets' | 'timers') => Math.min(...all.map((each) => each[what]));
  return {
    descriptors: least('descriptors'),
    sockets: least('sockets'),
    timers: least('timers'),
    kinds: all.at(-1)?.kinds ?? {},
  };
}

/** @param at minutes since the beginning. */
export async function sampleMemory(port: number, { pid }: ProductProcess, at: number): Promise<MemorySample> {
  const found = await scrape(port);
  const metric = (name: Metric) => (valueOf(found, MEMORY[name]) ?? NaN) / MIB;
  return { at, mib: forEachPart((part) => (part === 'malloc' ? mallocMib(pid) : metric(part))) };
}

/** The slope of each part of the memory by least squares, in MiB a minute. */
export function slopesOf(samples: readonly MemorySample[]): Memory {
  return forEachPart((part) => slopeOf(samples.map(({ at, mib }) => [at, mib[part]])));
}

function forEachPart(value: (part: keyof Memory) => number): Memory {
  return {
    resident: value('resident'),
    heapUsed: value('heapUsed'),
    heapTotal: value('heapTotal'),
    external: value('external'),
    malloc: value('malloc'),
  };
}

function mallocMib(pid: number): number {
  const [, kib] = /\[heap\]\n(?:.*\n)*?Rss: +(\d+) kB/.exec(readFileSync(`/proc/${pid}/smaps`, 'utf8')) ?? [];
  return Number(kib ?? 0) / 1024;
}

function usageIn(found: Scrape, process: ProductProcess): Usage {
  const kinds = process.descriptors();
  return {
    descriptors: valueOf(found, 'process_open_fds') ?? NaN,
    // The metric of active resources has no idle connections of pools.
    sockets: kinds['socket'] ?? 0,
    timers: valueOf(found, 'nodejs_active_resources', { type: 'Timeout' }) ?? 0,
    kinds,
  };
}

function slopeOf(points: readonly (readonly [at: number, value: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanAt, meanValue] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const numerator = points.reduce((sum, [at, value]) => sum + (at - meanAt) * (value - meanValue), 0);
  return numerator / points.reduce((sum, [at]) => sum + (at - meanAt) ** 2, 0);
}
