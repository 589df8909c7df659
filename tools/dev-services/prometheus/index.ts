import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SetupFailed } from '../errors.ts';
import { freePort } from '../ports.ts';
import { type Daemon, findPrograms, installAdvice, startDaemon } from '../system-programs.ts';
import { waitUntilReady } from '../wait-until-ready.ts';
import { PROMETHEUS } from './programs.ts';

export interface PrometheusOptions {
  /** `host:port` of the management ports of the instances, by the name of their job. */
  targets: Readonly<Record<string, string | readonly string[]>>;
  /** The alert rules, in YAML. */
  rules: string;
  /** Milliseconds between two scrapes, and between two evaluations of the rules. Default: 200. */
  intervalMs?: number;
}

export interface FiringAlert {
  name: string;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
}

export interface RunningPrometheus {
  /** The alerts that fire. */
  firing(): Promise<FiringAlert[]>;
  /** The value of the first series of a query; undefined without one. */
  query(expression: string): Promise<number | undefined>;
  died: Promise<Error>;
  close(): Promise<void>;
}

const TRIES = 500;
const PAUSE_MILLISECONDS = 20;

/** @throws {SetupFailed} with the package to install when Prometheus is missing. */
export async function startPrometheus(options: PrometheusOptions): Promise<RunningPrometheus> {
  const found = await findPrograms(PROMETHEUS);
  if (!found) throw new SetupFailed(installAdvice(PROMETHEUS));
  const folder = await mkdtemp(join(tmpdir(), 'homeport-prometheus-'));
  let daemon: Daemon | undefined;
  const close = async (): Promise<void> => {
    await daemon?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const port = await freePort();
    await writeFile(join(folder, 'rules.yml'), options.rules);
    await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configurationOf(options)));
    const program = join(found.get('prometheus') ?? '', 'prometheus');
    const args = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`];
    daemon = startDaemon(program, [...args, '--log.level=error'], folder);
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(() => isReady(`${url}/-/ready`), {
      tries: TRIES,
      pauseMilliseconds: PAUSE_MILLISECONDS,
      died: daemon.died,
      late: () => new SetupFailed('Prometheus does not become ready.'),
    });
    return { firing: () => firingAt(url), query: (expression) => queryAt(url, expression), died: daemon.died, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** JSON is YAML. */
function configurationOf({ targets, intervalMs = 200 }: PrometheusOptions): object {
  const interval = `${intervalMs}ms`;
  return {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
    rule_files: ['rules.yml'],
    scrape_configs: Object.entries(targets).map(([job, instances]) => ({
      job_name: job,
      static_configs: [{ targets: [instances].flat() }],
    })),
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}

interface AlertEntry {
  readonly state: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

async function firingAt(url: string): Promise<FiringAlert[]> {
  const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as { data: { alerts: AlertEntry[] } };
  return data.alerts
    .filter(({ state }) => state === 'firing')
    .map(({ labels, annotations }) => ({ name: labels['alertname'] ?? '', labels, annotations }));
}

async function queryAt(url: string, expression: string): Promise<number | undefined> {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
  const { data } = (await response.json()) as { data?: { result: { value: [number, string] }[] } };
  const value = data?.result[0]?.value[1];
  return value === undefined ? undefined : Number(value);
}

export interface PromtoolResult {
  code: number | null;
  /** Standard output and errors. */
  output: string;
}

/** Runs promtool. @param input its standard input. @throws {SetupFailed} when it is missing. */
export async function runPromtool(args: readonly string[], { cwd, input = '' }: { cwd: string; input?: string }) {
  const found = await findPrograms(PROMETHEUS);
  if (!found) throw new SetupFailed(installAdvice(PROMETHEUS));
  const child = spawn(join(found.get('promtool') ?? '', 'promtool'), args, { cwd, stdio: 'pipe' });
  child.stdin.end(input);
  const [outputs, [code]] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, output: outputs.join('') } satisfies PromtoolResult;
}
