import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Environment } from './settings.ts';

export const root = resolve(import.meta.dirname, '../..');

export interface CommandOptions {
  env: Environment;
  /** Whether to print the output as it arrives. */
  show?: boolean;
  signal?: AbortSignal;
  /** Time limit; the command is then killed and counts as failed. */
  limitMs?: number;
  /** Arguments for Node itself. */
  nodeArgs?: string[];
}

export interface CommandResult {
  ok: boolean;
  output: string;
}

/** Runs one of our tools under this Node and waits for its exit. */
export function runTool(script: string, args: string[], options: CommandOptions): Promise<CommandResult> {
  return runCommand(process.execPath, [...(options.nodeArgs ?? []), join(root, script), ...args], options);
}

export function runNx(args: string[], options: CommandOptions): Promise<CommandResult> {
  return runTool('node_modules/nx/dist/bin/nx.js', args, options);
}

/** Time for the remaining output after the exit: a child process left running may keep the output open. */
const LAST_OUTPUT_MS = 5_000;

/** Returns at most the last 200,000 characters of output. Never rejects: a command that cannot run counts as failed. */
export function runCommand(command: string, args: string[], options: CommandOptions): Promise<CommandResult> {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: root,
      env: toolEnvironment(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.signal ? { signal: options.signal } : {}),
    });
    let output = '';
    const take = (chunk: string, to: NodeJS.WriteStream): void => {
      output = (output + chunk).slice(-200_000);
      if (options.show) to.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => take(chunk, process.stdout));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => take(chunk, process.stderr));
    const limit = options.limitMs && setTimeout(() => stopAtLimit(child), options.limitMs);
    let lastOutput: NodeJS.Timeout | undefined;
    const end = (ok: boolean): void => {
      clearTimeout(limit);
      clearTimeout(lastOutput);
      done({ ok, output });
    };
    child.once('error', (error) => {
      take(`\n${error.message}\n`, process.stderr);
      end(false);
    });
    child.once('exit', (code) => (lastOutput = setTimeout(() => end(code === 0), LAST_OUTPUT_MS)));
    child.once('close', (code) => end(code === 0));
  });
}

function stopAtLimit(child: ChildProcess): void {
  console.error(`  ${child.spawnargs.slice(0, 3).join(' ')} exceeded its time limit and is stopped.`);
  child.kill('SIGKILL');
}

/**
 * Tools start `node` themselves, so this Node must come first on the PATH. Disables Nx's daemon, prompts and telemetry.
 */
export function toolEnvironment(env: Environment): Environment {
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const path = [dirname(process.execPath), join(root, 'node_modules', '.bin'), env[name] ?? ''].join(delimiter);
  return { ...env, [name]: path, NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', NG_CLI_ANALYTICS: 'false' };
}
