import { spawn } from 'node:child_process';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Environment } from './settings.ts';

export const root = resolve(import.meta.dirname, '../..');

export interface CommandOptions {
  env: Environment;
  /** Show the output as it comes; otherwise it is only kept. */
  show?: boolean;
  signal?: AbortSignal;
  /** For Node itself. */
  nodeArgs?: string[];
}

export interface CommandResult {
  ok: boolean;
  output: string;
}

/** Runs one of our tools under this Node and waits for its end. */
export function runTool(script: string, args: string[], options: CommandOptions): Promise<CommandResult> {
  return runCommand(process.execPath, [...(options.nodeArgs ?? []), join(root, script), ...args], options);
}

export function runNx(args: string[], options: CommandOptions): Promise<CommandResult> {
  return runTool('node_modules/nx/dist/bin/nx.js', args, options);
}

/** Keeps the last 200,000 characters of the output. Never rejects: a command that cannot run is one that failed. */
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
    child.once('error', (error) => done({ ok: false, output: `${output}\n${error.message}` }));
    child.once('close', (code) => done({ ok: code === 0, output }));
  });
}

/** Tools start `node` themselves: it has to be this one. Nx leaves no daemon behind, and asks and reports nothing. */
export function toolEnvironment(env: Environment): Environment {
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const path = [dirname(process.execPath), join(root, 'node_modules', '.bin'), env[name] ?? ''].join(delimiter);
  return { ...env, [name]: path, NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', NG_CLI_ANALYTICS: 'false' };
}
