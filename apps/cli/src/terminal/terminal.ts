import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { printable, printableJson } from './printable';

export interface TerminalStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Results go to stdout, everything else to stderr, so that the output of a command can be piped. */
export class Terminal {
  #hasProgress = false;

  constructor(
    readonly streams: TerminalStreams,
    /** Whether the result is one JSON document. */
    readonly isJson: boolean,
    /** Whether the environment is a pipeline, which has no person to answer questions. */
    private readonly isPipeline: boolean,
  ) {}

  /** Whether a person can answer questions. */
  get isInteractive(): boolean {
    return !this.isPipeline && this.streams.stdin.isTTY === true && this.streams.stderr.isTTY === true;
  }

  /** Prints the result of a command: the value as JSON, or the lines for people. */
  result(value: unknown, lines: () => readonly string[] | string): void {
    this.clearProgress();
    const text = this.isJson ? printableJson(value, 2) : printable([lines()].flat().join('\n'));
    if (text !== '') this.streams.stdout.write(`${text}\n`);
  }

  /** Prints one of many results: the value as JSON on one line, or the line for people. Resolves when the stream accepts the next one. */
  async resultLine(value: unknown, line: string): Promise<void> {
    this.clearProgress();
    const { stdout } = this.streams;
    const text = this.isJson ? printableJson(value) : printable(line);
    if (!stdout.write(`${text}\n`)) await once(stdout, 'drain');
  }

  /** Prints lines that are not part of the result. */
  note(text: string): void {
    this.#writeMessage(printable(text));
  }

  /** Prints a JSON document that is not part of the result. */
  noteJson(value: unknown): void {
    this.#writeMessage(printableJson(value, 2));
  }

  #writeMessage(text: string): void {
    this.clearProgress();
    this.streams.stderr.write(`${text}\n`);
  }

  /** Replaces the progress line. Pipelines and files get no progress lines. */
  progress(text: string): void {
    const { stderr } = this.streams;
    if (!stderr.isTTY || this.isPipeline) return;
    stderr.write(`\r\u001b[2K${text.slice(0, (stderr.columns ?? 80) - 1)}`);
    this.#hasProgress = true;
  }

  clearProgress(): void {
    if (this.#hasProgress) this.streams.stderr.write('\r\u001b[2K');
    this.#hasProgress = false;
  }
}
