import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { LOW_MEMORY_NODE_ARGS } from '@homeport/dev-services';

const BUILT = join(import.meta.dirname, '../../../dist/api/apps');

/** A log entry. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly dependency?: string;
  readonly operation?: string;
  readonly cause?: string;
  readonly code?: string;
  readonly status?: number;
  readonly request_id?: string;
  readonly [name: string]: unknown;
}

/** Runs the built product and collects its log. */
export class LoggedProcess {
  readonly lines: LogLine[] = [];
  readonly #child: ChildProcess;
  readonly #exit: Promise<number | null>;
  #text = '';

  /** @param through a command, with its arguments, that runs the program. Default: none. */
  constructor(app: 'api' | 'edge', env: Readonly<Record<string, string>>, through: readonly string[] = []) {
    const node = [process.execPath, ...LOW_MEMORY_NODE_ARGS, join(BUILT, app, 'src/main.js')];
    const [program = '', ...args] = [...through, ...node];
    this.#child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk.toString()));
    this.#exit = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  /** All output so far. */
  get text(): string {
    return this.#text;
  }

  /** Resolves with the first matching log entry. @throws {Error} when the process ends without one. */
  async line(matches: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find(matches);
      if (found) return found;
      const more = once(this.#child.stdout as NodeJS.ReadableStream, 'data');
      const hasEnded = await Promise.race([more.then(() => false), this.#exit.then(() => true)]);
      if (hasEnded && !this.lines.some(matches)) throw new Error(`The process ended without the line:\n${this.#text}`);
    }
  }

  exit(): Promise<number | null> {
    return this.#exit;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  /** A log entry may arrive in several chunks. */
  #read(chunk: string): void {
    this.#text += chunk;
    const complete = this.#text.slice(0, this.#text.lastIndexOf('\n') + 1);
    const all = complete.split('\n').filter((line) => line.startsWith('{'));
    this.lines.push(...all.slice(this.lines.length).map((line) => JSON.parse(line) as LogLine));
  }
}
