import { Agent, request } from 'node:http';
import { cpuOf, median } from './measure.mjs';

const CONNECTIONS = 16;

/**
 * Sends calls at a rate, or as fast as the answers arrive when that is slower.
 * @returns CPU milliseconds per call of the process `pid`, the median duration, and the reached rate.
 */
export async function pacedRound({ pid, url, headers, rate, amount }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const durations = [];
  const [cpuBefore, started] = [cpuOf(pid), performance.now()];
  let next = 0;
  const client = async () => {
    while (next < amount) {
      const due = started + (next++ * 1_000) / rate;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const sent = performance.now();
      await call(url, { agent, headers });
      durations.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  agent.destroy();
  return {
    cpuMs: (cpuOf(pid) - cpuBefore) / amount,
    p50Ms: median(durations),
    rate: (amount * 1_000) / (performance.now() - started),
  };
}

function call(url, options) {
  return new Promise((resolve, reject) => {
    const exchange = request(url, options, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`))));
    });
    exchange.on('error', reject);
    exchange.end();
  });
}
