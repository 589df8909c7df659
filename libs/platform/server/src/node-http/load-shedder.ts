import type { IncomingMessage, ServerResponse } from 'node:http';

import { RequestQueue } from './request-queue';

/** A crowd that lasts this long is an overload. A shorter one is a burst: 1,000 requests at once take about a second. */
const CROWDED_MS = 2_000;
/** More than the 200 connections that must be served without a failure during a drain. */
const CROWD = 256;
/** More than the 1,000 apps that may be registered at once. */
const FLOOD = 1_200;
/** An overload ends when nothing was refused for this long: longer than a process may have to wait for the processor. */
const CALM_MS = 1_000;
/** Requests that began before the last two slots wait for their client, or are streams. They do not count. */
const SLOT_MS = 2_000;
/** Reads in progress that keep dependencies busy which take up to about 50 ms. */
const MAX_READS = 64;
/** More, because a person must repeat a refused change, and 1,000 apps may be registered at once. */
const MAX_WRITES = 1_024;

export interface LoadShedderOptions {
  /** @returns the dependency that the request needs; undefined for a request that is always served. Default: all one. */
  readonly groupOf?: (request: IncomingMessage) => string | undefined;
  /** Recent requests in progress of a group that are a crowd. Default: 256. */
  readonly crowd?: number;
  /** Recent requests in progress of all groups that are an overload without delay. Default: 1,200. */
  readonly flood?: number;
  /** Recent requests in progress of a group, above which an overloaded process refuses reads (GET, HEAD). Default: 64. */
  readonly maxReads?: number;
  /** Recent requests in progress of a group, above which an overloaded process refuses changes. Default: 1,024. */
  readonly maxWrites?: number;
  /** Where admitted requests wait. Default: a `RequestQueue`. */
  readonly queue?: Pick<RequestQueue, 'add'>;
  /** @returns milliseconds. Default: `performance.now()`. */
  readonly now?: () => number;
  readonly onBegin?: () => void;
  /** @param refused the requests refused in the overload. */
  readonly onEnd?: (refused: number) => void;
}

/** The recent requests of a group in progress. */
class Group {
  #current = { inProgress: 0 };
  #previous = { inProgress: 0 };
  /** Since when each new request found a crowd. */
  crowdedSince: number | undefined;

  get inProgress(): number {
    return this.#current.inProgress + this.#previous.inProgress;
  }

  add(response: ServerResponse): void {
    const slot = this.#current;
    slot.inProgress += 1;
    response.once('close', () => (slot.inProgress -= 1));
  }

  beginSlot(): void {
    this.#previous = this.#current;
    this.#current = { inProgress: 0 };
  }
}

/**
 * Decides which requests to refuse, so that an overloaded process finishes those that it accepts. All requests in
 * progress count: those that wait in the queue for the processor, and those that wait for a dependency. An overload
 * begins when a crowd of them stays for two seconds, or at once with more than any burst that must be served. Until it
 * ends, reads are refused unless few requests are in progress, so that all are answered soon.
 */
export class LoadShedder {
  readonly #groups = new Map<string, Group>();
  readonly #queue: Pick<RequestQueue, 'add'>;
  readonly #now: () => number;
  readonly #crowd: number;
  readonly #flood: number;
  readonly #maxReads: number;
  readonly #maxWrites: number;
  #lastRefusalAt: number | undefined;
  #slotStartedAt: number;
  #refused = 0;
  #refusedBefore = 0;

  constructor(private readonly options: LoadShedderOptions = {}) {
    this.#queue = options.queue ?? new RequestQueue();
    this.#now = options.now ?? (() => performance.now());
    this.#slotStartedAt = this.#now();
    this.#crowd = options.crowd ?? CROWD;
    this.#flood = options.flood ?? FLOOD;
    this.#maxReads = options.maxReads ?? MAX_READS;
    this.#maxWrites = options.maxWrites ?? MAX_WRITES;
  }

  /** The requests refused since the start. */
  get refused(): number {
    return this.#refused;
  }

  get isOverloaded(): boolean {
    return this.#lastRefusalAt !== undefined;
  }

  /**
   * @param start handles the request; not called when the connection closes before.
   * @returns false to refuse the request. An admitted one counts until its response closes.
   */
  admit(request: IncomingMessage, response: ServerResponse, start: () => void): boolean {
    const name = this.options.groupOf ? this.options.groupOf(request) : '';
    if (name === undefined) {
      start();
      return true;
    }
    const now = this.#now();
    if (now - this.#slotStartedAt > SLOT_MS) this.#beginSlot(now);
    const group = this.#groupOf(name);
    if (this.#lastRefusalAt === undefined) this.#detectOverload(group, now);
    else if (now - this.#lastRefusalAt > CALM_MS) this.#end();
    if (this.#lastRefusalAt !== undefined && this.#isFull(request, group)) {
      this.#refused += 1;
      this.#lastRefusalAt = now;
      return false;
    }
    group.add(response);
    this.#queue.add(() => !response.destroyed && start());
    return true;
  }

  #groupOf(name: string): Group {
    const known = this.#groups.get(name);
    if (known) return known;
    const group = new Group();
    this.#groups.set(name, group);
    return group;
  }

  #isFull({ method }: IncomingMessage, group: Group): boolean {
    const isRead = method === 'GET' || method === 'HEAD';
    return group.inProgress >= (isRead ? this.#maxReads : this.#maxWrites);
  }

  #beginSlot(now: number): void {
    this.#slotStartedAt = now;
    for (const group of this.#groups.values()) group.beginSlot();
  }

  #detectOverload(group: Group, now: number): void {
    group.crowdedSince = group.inProgress < this.#crowd ? undefined : (group.crowdedSince ?? now);
    const hasStayed = group.crowdedSince !== undefined && now - group.crowdedSince > CROWDED_MS;
    if (hasStayed || this.#inProgress() >= this.#flood) {
      this.#lastRefusalAt = now;
      this.#refusedBefore = this.#refused;
      this.options.onBegin?.();
    }
  }

  #inProgress(): number {
    let all = 0;
    for (const { inProgress } of this.#groups.values()) all += inProgress;
    return all;
  }

  #end(): void {
    this.#lastRefusalAt = undefined;
    for (const group of this.#groups.values()) group.crowdedSince = undefined;
    this.options.onEnd?.(this.#refused - this.#refusedBefore);
  }
}
