export type Route53Action = 'ChangeResourceRecordSets' | 'ListResourceRecordSets' | 'GetChange';

/** What becomes of a call, other than an answer. `…-after-apply`: it is done all the same, only nobody hears of it. */
export type Route53Fault =
  /** No answer ever comes. */
  | 'hang'
  | 'hang-after-apply'
  /** The connection breaks. */
  | 'reset'
  | 'reset-after-apply'
  /** Headers come, and of the body only the beginning. */
  | 'stall'
  /** An error code of Route 53, such as `Throttling`, in its own wire form. */
  | { readonly error: string }
  /** A bare status of something between the caller and Route 53, such as 502. */
  | { readonly status: number }
  /** The right answer, late. */
  | { readonly delayMilliseconds: number };

interface Plan {
  readonly fault: Route53Fault;
  /** Absent: whichever call comes. */
  readonly action: Route53Action | undefined;
  times: number;
}

/** What is to go wrong: for the next calls, or for all of an action until `clear`. */
export class Route53Faults {
  #plans: Plan[] = [];

  /** The next call, of this action if one is named. Several plans are used up in the order they were made. */
  next(fault: Route53Fault, action?: Route53Action, times = 1): void {
    this.#plans.push({ fault, action, times });
  }

  /** Every call, of this action if one is named. */
  always(fault: Route53Fault, action?: Route53Action): void {
    this.next(fault, action, Infinity);
  }

  clear(): void {
    this.#plans = [];
  }

  take(action: Route53Action): Route53Fault | undefined {
    const plan = this.#plans.find((each) => each.action === undefined || each.action === action);
    if (plan && --plan.times === 0) this.#plans = this.#plans.filter((each) => each !== plan);
    return plan?.fault;
  }
}

/** Amazon's token bucket: so many calls at once, and so many a second from then on. */
export class TokenBucket {
  #tokens: number;
  #filledAt: number;

  constructor(
    private readonly rate: { readonly perSecond: number; readonly burst: number },
    private readonly now: () => number,
  ) {
    this.#tokens = rate.burst;
    this.#filledAt = now();
  }

  /** @returns whether there was one. */
  take(): boolean {
    const now = this.now();
    const refill = ((now - this.#filledAt) / 1_000) * this.rate.perSecond;
    this.#tokens = Math.min(this.rate.burst, this.#tokens + refill);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
