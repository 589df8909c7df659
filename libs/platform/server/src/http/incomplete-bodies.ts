import type { IncomingMessage } from 'node:http';
import type { CallerResolver } from '../limits/caller-resolver';
import { RequestTimedOut } from '../problems/platform.errors';

/** For the whole body of a request that no route streams. */
const TIME_LIMIT_MS = 30_000;
/** How long after the limit the connection stays open, so that the answer can be read. */
const GRACE_MS = 2_000;
/** Incomplete bodies of one caller; an honest body is complete within a few packets. */
const MAX_PER_CALLER = 100;

export interface IncompleteBodiesOptions {
  readonly callerOf: CallerResolver;
  readonly timeLimitMs?: number;
  readonly maxPerCaller?: number;
}

interface Deadline {
  readonly signal: AbortSignal;
  /** Ends the limit; calling it again does nothing. */
  readonly lift: () => void;
}

const deadlines = new WeakMap<IncomingMessage, Deadline>();

/** Raised when the body has not arrived in time. Undefined where nothing limits the request. */
export function bodyTimeoutSignal(request: IncomingMessage): AbortSignal | undefined {
  return deadlines.get(request)?.signal;
}

/** Lets a body take as long as it needs: its route streams it and limits how slowly it may come. */
export function clearBodyTimeout(request: IncomingMessage): void {
  deadlines.get(request)?.lift();
}

/** Limits the time and the number of requests with incomplete bodies, whether a route reads the bodies or not. */
export class IncompleteBodies {
  readonly #bodies = new Map<string, Set<IncomingMessage>>();
  readonly #timeLimitMs: number;
  readonly #maxPerCaller: number;
  readonly #callerOf: CallerResolver;

  constructor({ callerOf, timeLimitMs = TIME_LIMIT_MS, maxPerCaller = MAX_PER_CALLER }: IncompleteBodiesOptions) {
    this.#callerOf = callerOf;
    this.#timeLimitMs = timeLimitMs;
    this.#maxPerCaller = maxPerCaller;
  }

  /** Starts the limits of a request. @returns whether its caller may have one more. */
  admit(request: IncomingMessage): boolean {
    if (!hasBody(request)) return true;
    const caller = this.#callerOf(request);
    const bodies = this.#bodies.get(caller) ?? new Set();
    if (bodies.size >= this.#maxPerCaller && incompleteOf(bodies) >= this.#maxPerCaller) return false;
    this.#bodies.set(caller, bodies.add(request));
    this.#limit(request, () => {
      bodies.delete(request);
      if (bodies.size === 0 && this.#bodies.get(caller) === bodies) this.#bodies.delete(caller);
    });
    return true;
  }

  #limit(request: IncomingMessage, onLift: () => void): void {
    const { socket } = request;
    const controller = new AbortController();
    const lift = () => {
      clearTimeout(timer);
      request.off('end', lift).off('close', lift);
      socket.off('close', lift);
      onLift();
    };
    const expire = () => {
      if (request.complete) return lift();
      controller.abort(new RequestTimedOut());
      timer = setTimeout(() => socket.destroy(), GRACE_MS);
    };
    let timer = setTimeout(expire, this.#timeLimitMs);
    request.once('end', lift).once('close', lift);
    socket.once('close', lift);
    deadlines.set(request, { signal: controller.signal, lift });
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Removes the complete ones, which wait only to be read. */
function incompleteOf(bodies: Set<IncomingMessage>): number {
  for (const each of bodies) if (each.complete) bodies.delete(each);
  return bodies.size;
}
