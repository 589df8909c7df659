import { cpuOf, median } from './measure.mjs';

/**
 * Runs two workloads of two processes in turn, in the next round the other way round, so that a machine that becomes
 * slower changes both alike. The first round is a warm-up.
 * @returns for each round the results of both and the CPU milliseconds that each process used in the whole round, so that
 * its background work counts completely.
 */
export async function pairedRounds(rounds, workloads, pids) {
  const measured = [];
  for (let n = 0; n <= rounds; n++) {
    const before = pids.map(cpuOf);
    const results = [];
    for (const side of n % 2 === 0 ? [0, 1] : [1, 0]) results[side] = await workloads[side]();
    const cpuMs = pids.map((pid, side) => cpuOf(pid) - before[side]);
    if (n > 0) measured.push({ results, cpuMs });
  }
  return measured;
}

/**
 * The median with its confidence interval of 95 %, from the order of the values: it assumes no distribution. With fewer
 * than six values, low and high are the smallest and the largest.
 */
export function medianWithInterval(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(0, Math.floor(sorted.length / 2 - 0.98 * Math.sqrt(sorted.length)));
  return { median: median(values), low: sorted[rank], high: sorted[sorted.length - 1 - rank] };
}
