import type { Member } from '@homeport/identity/contracts';
import { RateLimited } from '@homeport/kernel';
import type { AppChangeFeed } from '../../application/app-change-feed.port';
import { ChangeSubscriptions } from '../../application/change-subscriptions';
import { ChangeStream } from './change-stream';

/** A person has one stream for each open tab. */
const STREAMS_PER_PERSON = 20;
const STREAMS = 5_000;
const RETRY_SECONDS = 30;

/** The open event streams of this instance. */
export class ChangeStreams {
  readonly #streams = new Map<ChangeStream, string>();
  readonly #subscriptions = new ChangeSubscriptions();
  #isStopping = false;

  constructor(private readonly feed: AppChangeFeed) {}

  /** Starts to receive changes. */
  start(): void {
    this.#subscriptions.start(this.feed);
  }

  /** Opens a stream of the changes in the organization. @throws {RateLimited} when too many are open. */
  open({ issuer, subject, organization }: Member): ChangeStream {
    const person = `${issuer}\n${subject}`;
    const ofPerson = [...this.#streams.values()].filter((each) => each === person).length;
    if (this.#isStopping || this.#streams.size >= STREAMS || ofPerson >= STREAMS_PER_PERSON)
      throw new RateLimited({ 'retry-after': String(RETRY_SECONDS) });
    const stream = new ChangeStream();
    const unsubscribe = this.#subscriptions.subscribe(organization, (changed) => stream.send(changed));
    this.#streams.set(stream, person);
    stream.once('close', () => {
      unsubscribe();
      this.#streams.delete(stream);
    });
    // The client does not know what changed before it connected.
    stream.send(undefined);
    return stream;
  }

  /** Ends all streams and accepts no more, so that clients connect to another instance. */
  stop(): void {
    this.#isStopping = true;
    this.#subscriptions.stop();
    for (const stream of this.#streams.keys()) stream.end();
  }
}
