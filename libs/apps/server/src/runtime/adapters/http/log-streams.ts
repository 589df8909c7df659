import type { Readable } from 'node:stream';
import { RateLimited } from '@homeport/kernel';
import type { LogFollower } from '../../application/log-follower';
import type { LogSelection } from '../../application/runtime-reports.port';
import { logStream } from './log-stream';

/** Streams end after this time, so that a withdrawn token stops receiving lines. Clients resume where they stopped. */
const MAX_AGE_MS = 60_000;
const STREAMS = 1_000;
const STREAMS_PER_ORGANIZATION = 50;
const RETRY_SECONDS = 10;

/** The open log streams of this instance. */
export class LogStreams {
  readonly #streams = new Map<Readable, string>();
  readonly #stop = new AbortController();

  constructor(private readonly follower: LogFollower) {}

  /** Opens a stream of the log of an app. @throws {RateLimited} when too many are open. */
  open(organization: string, appId: string, selection: LogSelection): Readable {
    const ofOrganization = [...this.#streams.values()].filter((each) => each === organization).length;
    if (this.#stop.signal.aborted || this.#streams.size >= STREAMS || ofOrganization >= STREAMS_PER_ORGANIZATION)
      throw new RateLimited({ 'retry-after': String(RETRY_SECONDS) });
    const closed = new AbortController();
    const signal = AbortSignal.any([closed.signal, this.#stop.signal]);
    const end = setTimeout(() => closed.abort(), MAX_AGE_MS).unref();
    const stream = logStream(this.follower.follow(appId, selection, signal));
    this.#streams.set(stream, organization);
    stream.once('close', () => {
      clearTimeout(end);
      closed.abort();
      this.#streams.delete(stream);
    });
    return stream;
  }

  /** Ends all streams and accepts no more, so that clients connect to another instance. */
  stop(): void {
    this.#stop.abort();
  }
}
