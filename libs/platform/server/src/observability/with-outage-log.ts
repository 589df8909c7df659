import type { OutageLog } from './outage-log';

export interface ObservedOperation {
  readonly name: string;
  /** Whether a failure is one of the dependency, as opposed to an answer, such as a conflict, or a defect of ours. */
  readonly isOutage: (error: unknown) => boolean;
  /** Raised when the caller has left: how its call ends then says nothing about the dependency. */
  readonly leaving?: AbortSignal | undefined;
}

/** Calls a dependency, and tells the log whether it answered. @throws what the call throws. */
export async function withOutageLog<T>(
  outages: OutageLog,
  { name, isOutage, leaving }: ObservedOperation,
  call: () => Promise<T>,
): Promise<T> {
  try {
    const result = await call();
    outages.succeeded(name);
    return result;
  } catch (error) {
    if (isOutage(error) && !leaving?.aborted) outages.failed(error, name);
    throw error;
  }
}
