import type { LambdaOperation } from './lambda-wire';

export type LambdaFault =
  /** An exception of the SDK, such as `TooManyRequestsException`. Nothing is executed. */
  | { readonly error: string }
  /** A bare status of an intermediary, such as 502. */
  | { readonly status: number }
  /** No response until the caller gives up. */
  | 'hang'
  /** The connection is reset before the call is executed. */
  | 'reset'
  /** The response of an invocation stops after these bytes of its payload, and the connection is reset. */
  | { readonly cutAfterBytes: number }
  /** Lambda ends the function after these bytes of its payload, with this code. */
  | { readonly functionError: string; readonly afterBytes: number };

interface Plan {
  readonly fault: LambdaFault;
  readonly operation: LambdaOperation;
  times: number;
}

/** Planned faults of calls, used in their order. */
export class LambdaFaults {
  #plans: Plan[] = [];

  next(operation: LambdaOperation, fault: LambdaFault, times = 1): void {
    this.#plans.push({ fault, operation, times });
  }

  take(operation: LambdaOperation): LambdaFault | undefined {
    const plan = this.#plans.find((each) => each.operation === operation);
    if (plan && --plan.times === 0) this.#plans = this.#plans.filter((each) => each !== plan);
    return plan?.fault;
  }
}
