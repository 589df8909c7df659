import type { OutageLog } from './outage-log';

export interface ObservedOperation {
  readonly name: string;
  /** Whether an error is an outage, as opposed to an expected response, such as a conflict, or a defect in the code. */
  readonly isOutage: (error: unknown) => boolean;
  /** Aborted when the caller has disconnected. Errors after that say nothing about the dependency. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls a dependency and reports the outcome to the outage log. @throws the error of the call. */
export async function withOutageLog<T>(
  outages: OutageLog,
  { name, isOutage, signal }: ObservedOperation,
  call: () => Promise<T>,
): Promise<T> {
  const endCall = outages.startCall(name);
  try {
    const result = await call();
    outages.succeeded(name);
    endCall?.('success');
    return result;
  } catch (error) {
    const isFailure = isOutage(error) && !signal?.aborted;
    if (isFailure) outages.failed(error, name);
    endCall?.(isFailure ? 'failure' : 'success');
    throw error;
  }
}
