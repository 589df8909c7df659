import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { accessTokenOf, checkedEnvironment } from '@homeport/dev-services';

export const PACKAGES = join(import.meta.dirname, '../../../dist/packages');
const MAIN = join(PACKAGES, 'cli/main.js');

/** The settings of the product under test. */
export const settings = JSON.parse(process.env['HOMEPORT_TEST_SERVICES'] ?? '{}') as Record<string, string>;
export const url = settings['PUBLIC_URL'] as string;

/** Whether to run the full suites (`npm run suite`) instead of samples. */
export const isFull = process.env['HOMEPORT_SUITES'] === 'full';

/** The seed of a run; `HOMEPORT_SEED` changes it. */
const seed = process.env['HOMEPORT_SEED'] ?? '1';

/** @returns a number from 0 to below 1 that depends on the seed and the label alone. */
export function random(label: string): number {
  return createHash('sha256').update(`${seed} ${label}`).digest().readUInt32BE() / 2 ** 32;
}

export interface Finished {
  /** Null when a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves with the first match in the messages. */
  message(pattern: RegExp): Promise<string>;
  /** Resolves with the first match in the results. */
  output(pattern: RegExp): Promise<string>;
}

/** One person's machine: a home folder, and a folder for files. */
export class Machine {
  /** The path of the command line. */
  static readonly program = MAIN;

  private constructor(
    readonly root: string,
    /** The variables of its shell. */
    readonly variables: Record<string, string>,
    /** Whether `run` and `json` run the command in the process of the test, which is faster. */
    private readonly isInProcess: boolean,
  ) {}

  /** @param token default: none, as on a new machine. */
  static async create(token?: string, isInProcess = false): Promise<Machine> {
    const root = await mkdtemp(join(settings['TMPDIR'] ?? tmpdir(), 'homeport-cli-'));
    await mkdir(join(root, 'home'));
    await mkdir(join(root, 'work'));
    const shell = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), HOMEPORT_URL: url };
    return new Machine(root, { ...shell, ...(token !== undefined && { HOMEPORT_TOKEN: token }) }, isInProcess);
  }

  static async of(person: string): Promise<Machine> {
    return Machine.create(await accessTokenOf(url, person));
  }

  /** A machine for many commands, which run in the process of the test. */
  static async inProcessOf(person: string): Promise<Machine> {
    return Machine.create(await accessTokenOf(url, person), true);
  }

  /** Signs in again: long suites outlive a token. */
  async renewToken(person: string): Promise<void> {
    this.variables['HOMEPORT_TOKEN'] = await accessTokenOf(url, person);
  }

  path(...names: string[]): string {
    return join(this.root, ...names);
  }

  /** Writes files below the working folder. */
  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(this.path('work', path)), { recursive: true });
      await writeFile(this.path('work', path), text);
    }
  }

  start(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Running {
    return this.#spawn(process.execPath, [MAIN, ...args], { ...this.variables, ...checkedEnvironment(), ...variables });
  }

  /** Runs lines of a shell script in the working folder, until one fails. @param variables all of them. */
  async bash(script: string, variables: Readonly<Record<string, string>>): Promise<Finished> {
    const { child, finished } = this.#spawn('bash', ['-eo', 'pipefail', '-c', script], variables);
    child.stdin?.end();
    return finished;
  }

  #spawn(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Running {
    const child = spawn(program, args, { cwd: this.path('work'), env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const finished = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
    const matchIn = (stream: Readable, text: () => string) => async (pattern: RegExp) => {
      for (;;) {
        const found = pattern.exec(text());
        if (found) return found[0];
        const ended = await Promise.race([once(stream, 'data').then(() => false), finished.then(() => true)]);
        if (ended && !pattern.test(text())) throw new Error(`The command ended without ${pattern}:\n${stderr}`);
      }
    };
    return {
      child,
      finished,
      message: matchIn(child.stderr, () => stderr),
      output: matchIn(child.stdout, () => stdout),
    };
  }

  /** Runs a command, with `input` on its standard input. */
  async run(args: readonly string[], input = '', variables?: Readonly<Record<string, string>>): Promise<Finished> {
    if (this.isInProcess) {
      // Loaded here because most test files run the built program.
      const { runInProcess } = await import('./command-in-process');
      const [home, cwd] = [this.path('home'), this.path('work')];
      return runInProcess({ args, home, cwd, variables: { ...this.variables, ...variables } }, input);
    }
    const { child, finished } = this.start(args, variables);
    child.stdin?.end(input);
    return finished;
  }

  /** Runs a command that succeeds. @returns the printed JSON. */
  async json<T>(args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    if (code !== 0) throw new Error(`homeport ${args.join(' ')} exited with ${code}:\n${stderr}`);
    return JSON.parse(stdout) as T;
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

let names = 0;
export const uniqueName = (label: string) => `${label} ${process.pid} ${names++}`;
