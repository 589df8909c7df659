import { createWriteStream, mkdirSync } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { join } from 'node:path';

/** Writes each service's output to its own file, truncated at every start. A full disk loses only the log. */
export function serviceLogWriter(folder: string): (service: string, line: string) => void {
  mkdirSync(folder, { recursive: true });
  const streams = new Map<string, WriteStream>();
  return (service, line) => {
    let stream = streams.get(service);
    if (!stream) {
      stream = createWriteStream(join(folder, `${service}.log`), { mode: 0o600 }).on('error', () => undefined);
      streams.set(service, stream);
    }
    stream.write(`${line}\n`);
  };
}
