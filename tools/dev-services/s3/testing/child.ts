import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

export type Message = { type: 'ready'; port: number; endpoint: string } | { type: 'failed'; message: string };

/** The server as a child process, started like the supervisor does. */
export class ServerProcess {
  readonly process: ChildProcess;
  readonly first: Promise<Message>;
  private readonly exited: Promise<unknown[]>;

  /** @param fileLimit maximum file size in blocks of 512 bytes; larger writes fail as on a full disk */
  constructor(env: Readonly<Record<string, string>>, fileLimit?: number) {
    const command =
      fileLimit === undefined ? [MAIN] : ['-c', `ulimit -f ${fileLimit}; exec "$0" "$1"`, process.execPath, MAIN];
    const program = fileLimit === undefined ? process.execPath : '/bin/sh';
    this.process = spawn(program, command, {
      env: { ...env },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.first = once(this.process, 'message').then(([message]) => message as Message);
    this.exited = once(this.process, 'exit');
  }

  /** Throws when the server did not start. */
  async endpoint(): Promise<string> {
    const message = await this.first;
    if (message.type === 'failed') throw new Error(message.message);
    return message.endpoint;
  }

  async exitCode(): Promise<unknown> {
    return (await this.exited)[0];
  }

  async stop(signal: NodeJS.Signals): Promise<unknown> {
    this.process.kill(signal);
    return this.exitCode();
  }
}
