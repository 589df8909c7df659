import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import type { ChunkPace } from '../../domain/chunk-pace';

/** The way of a body from one connection to another. */
export interface BodyPipe {
  /** Leaves the rest of the body to other readers. */
  stop(): void;
}

export interface BodyPipeOptions {
  /** Called with the number of bytes after they are written. */
  readonly onWritten: (bytes: number) => void;
  /** Delays a sender of many small chunks. */
  readonly pace?: ChunkPace | undefined;
}

/**
 * Pipes a body, and writes what has arrived together at once: the next program would read thousands of chunks of one
 * byte as slowly as this one.
 */
export function pipeBody(from: IncomingMessage, to: Writable, { onWritten, pace }: BodyPipeOptions): BodyPipe {
  let arrived: Buffer[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const resume = () => {
    if (timer === undefined && !to.writableNeedDrain) from.resume();
  };
  const delay = (chunks: number) => {
    pace?.received(chunks);
    const delayMs = pace?.delayMs ?? 0;
    // The connection of a complete body serves the next request.
    if (delayMs === 0 || from.complete) return;
    from.pause();
    // Otherwise Node reads on until its buffer is full, which takes many packets of small chunks.
    from.socket.pause();
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      from.socket?.resume();
      resume();
    }, delayMs);
  };
  const write = () => {
    const [first] = arrived;
    if (first === undefined || to.destroyed) return;
    const bytes = arrived.length === 1 ? first : Buffer.concat(arrived);
    delay(arrived.length);
    arrived = [];
    if (!to.write(bytes)) from.pause();
    onWritten(bytes.length);
  };
  const onData = (chunk: Buffer) => {
    if (arrived.push(chunk) === 1) process.nextTick(write);
  };
  const onEnd = () => {
    write();
    to.end();
  };
  const stop = () => {
    clearTimeout(timer);
    from.off('data', onData).off('end', onEnd);
    to.off('drain', resume);
    arrived = [];
  };
  from
    .on('data', onData)
    .once('end', onEnd)
    .once('close', () => clearTimeout(timer));
  to.on('drain', resume);
  return { stop };
}
