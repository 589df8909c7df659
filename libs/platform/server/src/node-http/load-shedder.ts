import type { IncomingMessage, ServerResponse } from 'node:http';

/** A crowd that lasts this long is an overload. A shorter one is a burst: 1,000 requests at once take about a second. */
const CROWDED_MS = 2_000;
/** More than the 1,000 apps that may be registered at once. */
const FLOOD = 1_200;
/** An overload ends when nothing was refused for this long. */
const CALM_MS = 100;
/** The time of a turn of the event loop in which an overloaded process accepts reads. */
const TURN_BUDGET_MS = 8;
/** Requests that began before the last two slots wait for their client, or are streams. They do not count. */
const SLOT_MS = 2_000;
/** More than the 200 connections that must be served without a failure during a drain. */
const CROWD = 256;
/** Reads in progress that keep dependencies busy which take up to about 50 ms. */
const MAX_READS = 64;
/** More, because a person must repeat a refused change, and 1,000 apps may be registered at once. */
const MAX_WRITES = 1_024;

export interface LoadShedderOptions {
  /** @returns the dependency that the request needs; undefined for a request that is always served. Default: all one. */
  readonly groupOf?: (request: IncomingMessage) => string | undefined;
  /** Recent requests of a group that make a turn crowded. Default: 256. */
  readonly crowd?: number;
  /** Recent requests of all groups that are an overload without delay. Default: 1,200. */
  readonly flood?: number;
  /** Recent requests in progress of a group, above which an overloaded process refuses reads (GET, HEAD). Default: 64. */
  readonly maxReads?: number;
  /** Recent requests in progress of a group, above which an overloaded process refuses changes. Default: 1,024. */
  readonly maxWrites?: number;
  /** @returns milliseconds. Default: `performance.now()`. */
  readonly now?: () => number;
  /** Runs a function at the end of this turn of the event loop. Default: `setImmediate`. */
  readonly atEndOfTurn?: (run: () => void) => void;
  readonly onBegin?: () => void;
  /** @param refused the requests refused in the overload. */
  readonly onEnd?: (refused: number) => void;
}

/** The recent requests of a group. */
interface Group {
  current: { inProgress: number };
  previous: { inProgress: number };
  /** The requests in progress at the start of this turn of the event loop, and those read since then. */
  load: number;
}

/**
 * Decides which requests to refuse, so that an overloaded process finishes those that it accepts. Requests wait at two
 * places: for a dependency, then many are in progress; or for the processor, then their bytes wait in the system until
 * the event loop reads many of them in one turn. An overload begins when either lasts for two seconds, or at once
 * with more requests than any burst that must be served. Until it ends,
 * each turn of the event loop accepts reads for a short time and refuses the rest, so that all are answered soon.
 */
export class LoadShedder {
  readonly #groups = new Map<string, Group>();
  readonly #now: () => number;
  readonly #atEndOfTurn: (run: () => void) => void;
  readonly #crowd: number;
  readonly #flood: number;
  readonly #maxReads: number;
  readonly #maxWrites: number;
  #turnStartedAt: number | undefined;
  /** The start of the first turn of a row of crowded ones. */
  #crowdedSince: number | undefined;
  /** The end of the last crowded turn: without requests there are no turns. */
  #crowdedUntil = -Infinity;
  #lastRefusalAt: number | undefined;
  #slotStartedAt: number;
  #refused = 0;
  #refusedBefore = 0;

  constructor(private readonly options: LoadShedderOptions = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#atEndOfTurn = options.atEndOfTurn ?? setImmediate;
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

  /** @returns whether to handle the request. It counts until its response closes. */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const name = this.options.groupOf ? this.options.groupOf(request) : '';
    if (name === undefined) return true;
    const group = this.#groupOf(name);
    if (this.#turnStartedAt === undefined) this.#beginTurn();
    group.load += 1;
    if (this.#lastRefusalAt !== undefined && this.#refuses(request, group)) return false;
    const slot = group.current;
    slot.inProgress += 1;
    response.once('close', () => (slot.inProgress -= 1));
    return true;
  }

  #groupOf(name: string): Group {
    const known = this.#groups.get(name);
    if (known) return known;
    const group = { current: { inProgress: 0 }, previous: { inProgress: 0 }, load: 0 };
    this.#groups.set(name, group);
    return group;
  }

  #refuses({ method }: IncomingMessage, group: Group): boolean {
    const isRead = method === 'GET' || method === 'HEAD';
    const inProgress = inProgressOf(group);
    const isLate = this.#now() - (this.#turnStartedAt ?? 0) > TURN_BUDGET_MS;
    const isRefused = isRead ? isLate || inProgress >= this.#maxReads : inProgress >= this.#maxWrites;
    if (isRefused) {
      this.#refused += 1;
      this.#lastRefusalAt = this.#now();
    }
    return isRefused;
  }

  #beginTurn(): void {
    this.#turnStartedAt = this.#now();
    this.#atEndOfTurn(() => this.#endTurn());
  }

  #endTurn(): void {
    const startedAt = this.#turnStartedAt ?? 0;
    const now = this.#now();
    this.#turnStartedAt = undefined;
    if (this.#lastRefusalAt === undefined) this.#detectOverload(startedAt, now);
    else if (now - this.#lastRefusalAt > CALM_MS) this.#end();
    const isSlotOver = now - this.#slotStartedAt > SLOT_MS;
    if (isSlotOver) this.#slotStartedAt = now;
    for (const group of this.#groups.values()) {
      if (isSlotOver) {
        group.previous = group.current;
        group.current = { inProgress: 0 };
      }
      group.load = inProgressOf(group);
    }
  }

  #detectOverload(startedAt: number, now: number): void {
    const loads = [...this.#groups.values()].map(({ load }) => load);
    if (!loads.some((load) => load > this.#crowd)) {
      this.#crowdedSince = undefined;
      return;
    }
    if (startedAt - this.#crowdedUntil > CALM_MS) this.#crowdedSince = undefined;
    this.#crowdedUntil = now;
    const isFlood = loads.reduce((sum, load) => sum + load) > this.#flood;
    const hasStayed = this.#crowdedSince !== undefined && now - this.#crowdedSince > CROWDED_MS;
    this.#crowdedSince ??= startedAt;
    if (isFlood || hasStayed) {
      this.#lastRefusalAt = now;
      this.#refusedBefore = this.#refused;
      this.options.onBegin?.();
    }
  }

  #end(): void {
    this.#lastRefusalAt = undefined;
    this.#crowdedSince = undefined;
    this.options.onEnd?.(this.#refused - this.#refusedBefore);
  }
}

function inProgressOf({ current, previous }: Group): number {
  return current.inProgress + previous.inProgress;
}
