export type Route53Action = 'ChangeResourceRecordSets' | 'ListResourceRecordSets' | 'GetChange';

/** A fault of a call. `…-after-apply`: the change is applied, but its response is lost. */
export type Route53Fault =
  /** No response. */
  | 'hang'
  | 'hang-after-apply'
  /** The connection is reset. */
  | 'reset'
  | 'reset-after-apply'
  /** Sends the headers and only the beginning of the body. */
  | 'stall'
  /** An error code of Route 53, such as `Throttling`, in its XML form. */
  | { readonly error: string }
  /** A bare status of an intermediary, such as 502. */
  | { readonly status: number }
  /** A correct but delayed response. */
  | { readonly delayMilliseconds: number };

interface Plan {
  readonly fault: Route53Fault;
  /** Default: any action. */
  readonly action: Route53Action | undefined;
  times: number;
}

/** Planned faults: for the next calls, or for all calls until `clear`. */
export class Route53Faults {
  #plans: Plan[] = [];

  /** Plans a fault for the next calls, of the given action only if one is set. Plans are used in order. */
  next(fault: Route53Fault, action?: Route53Action, times = 1): void {
    this.#plans.push({ fault, action, times });
  }

  /** Plans a fault for every call, of the given action only if one is set. */
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
