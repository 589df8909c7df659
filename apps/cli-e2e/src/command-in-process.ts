import { Readable, Writable } from 'node:stream';
import { type Invocation, run } from '@homeport/cli/run';

interface FinishedInProcess {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process. @param input on its standard input. */
export async function runInProcess(
  invocation: Pick<Invocation, 'args' | 'variables' | 'home' | 'cwd'>,
  input: string,
): Promise<FinishedInProcess> {
  const [stdout, stderr] = [new Output(), new Output()];
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr };
  const code = await run({ ...invocation, streams, signal: new AbortController().signal });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Output extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
