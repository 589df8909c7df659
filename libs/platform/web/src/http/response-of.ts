import { firstValueFrom, fromEvent, takeUntil, throwIfEmpty, type Observable } from 'rxjs';

/** Converts the single response of a call into a promise; aborting `signal` cancels the call. */
export function responseOf<T>(call: Observable<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return firstValueFrom(call);
  signal.throwIfAborted();
  return firstValueFrom(
    call.pipe(
      takeUntil(fromEvent(signal, 'abort')),
      throwIfEmpty(() => signal.reason as Error),
    ),
  );
}
