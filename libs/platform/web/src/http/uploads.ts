import {
  type HttpEvent,
  HttpEventType,
  HttpClient,
  type HttpInterceptorFn,
  provideHttpClient,
  withInterceptors,
  withXhr,
} from '@angular/common/http';
import { createEnvironmentInjector, EnvironmentInjector, inject } from '@angular/core';
import { filter, map, type Observable, tap } from 'rxjs';
import { responseOf } from './response-of';
import { problemInterceptor } from './problem-interceptor';

/** What every upload asks of the client, so that its progress is told. */
export const UPLOAD_OPTIONS = { observe: 'events', reportUploadProgress: true } as const;
/** Behind the service worker there would be no progress. */
export const UPLOAD_HEADERS = { 'ngsw-bypass': '' } as const;

export interface UploadObserver {
  /** Bytes of the body. */
  readonly size: number;
  /** Is told the bytes that have left this device. */
  readonly sent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * A client for uploads: only XMLHttpRequest tells how much of a body has been sent. Call it in an injection context.
 * @param interceptors after the one that makes problems of failures.
 */
export function uploadClient(...interceptors: readonly HttpInterceptorFn[]): HttpClient {
  return createEnvironmentInjector(
    [provideHttpClient(withXhr(), withInterceptors([problemInterceptor, ...interceptors]))],
    inject(EnvironmentInjector),
  ).get(HttpClient);
}

/**
 * The answer of an upload. What is aborted is cancelled, and the server keeps nothing of the body; only what has left
 * this device by then is there, so its answer is waited for.
 */
export async function uploadResponse<T>(call: Observable<HttpEvent<T>>, watch: UploadObserver): Promise<T> {
  const { size, sent, signal } = watch;
  const stop = new AbortController();
  let sentBytes = 0;
  const cancel = (): void => {
    if (sentBytes < size) stop.abort(signal.reason);
  };
  const answer = call.pipe(
    tap((event) => {
      if (event.type !== HttpEventType.UploadProgress) return;
      sentBytes = event.loaded;
      sent(sentBytes);
    }),
    map((event) => (event.type === HttpEventType.Response ? event.body : null)),
    filter((body) => body !== null),
  );
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel);
  try {
    return await responseOf(answer, stop.signal);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
