import type { IncomingMessage } from 'node:http';
import type { CallerResolver } from '../limits/caller-resolver';
import { RequestTimedOut } from '@homeport/kernel';

/** The time limit for a whole body, except on routes that stream it. */
const TIME_LIMIT_MS = 30_000;
/** How long the connection stays open after the limit, so that the client can read the response. */
const GRACE_MS = 2_000;
/** Incomplete bodies per caller. Ordinary bodies are complete within a few packets. */
const MAX_PER_CALLER = 100;

export interface IncompleteBodiesOptions {
  readonly callerOf: CallerResolver;
  readonly timeLimitMs?: number;
  readonly maxPerCaller?: number;
}

interface Deadline {
  readonly signal: AbortSignal;
  /** Cancels the time limit. Further calls do nothing. */
  readonly cancel: () => void;
}

const deadlines = new WeakMap<IncomingMessage, Deadline>();

/** @returns a signal that aborts when the body has not arrived in time; `undefined` for requests without a limit. */
export function bodyTimeoutSignal(request: IncomingMessage): AbortSignal | undefined {
  return deadlines.get(request)?.signal;
}

/** Removes the time limit of a body. Routes that stream bodies enforce a minimum rate instead. */
export function clearBodyTimeout(request: IncomingMessage): void {
  deadlines.get(request)?.cancel();
}

/** Limits the duration and the number of incomplete bodies per caller, even where no route reads them. */
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

  /** Starts the time limit of a request. @returns false when its caller has too many incomplete bodies. */
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

  #limit(request: IncomingMessage, onCancel: () => void): void {
    const { socket } = request;
    const controller = new AbortController();
    const cancel = () => {
      clearTimeout(timer);
      request.off('end', cancel).off('close', cancel);
      socket.off('close', cancel);
      onCancel();
    };
    const expire = () => {
      if (request.complete) return cancel();
      controller.abort(new RequestTimedOut());
      timer = setTimeout(() => socket.destroy(), GRACE_MS);
    };
    let timer = setTimeout(expire, this.#timeLimitMs);
    request.once('end', cancel).once('close', cancel);
    socket.once('close', cancel);
    deadlines.set(request, { signal: controller.signal, cancel });
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Removes complete bodies, which are only waiting to be read. */
function incompleteOf(bodies: Set<IncomingMessage>): number {
  for (const each of bodies) if (each.complete) bodies.delete(each);
  return bodies.size;
}
