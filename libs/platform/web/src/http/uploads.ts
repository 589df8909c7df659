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

/** Options that every upload needs to report its progress. */
export const UPLOAD_OPTIONS = { observe: 'events', reportUploadProgress: true } as const;
/** Bypasses the service worker, which hides the progress. */
export const UPLOAD_HEADERS = { 'ngsw-bypass': '' } as const;

export interface UploadObserver {
  /** Size of the body in bytes. */
  readonly size: number;
  /** Receives the number of bytes sent so far. */
  readonly sent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Creates a client for uploads: only XMLHttpRequest reports how much of a body was sent. Requires an injection context.
 *
 * @param interceptors run after the one that converts failures into problems.
 */
export function uploadClient(...interceptors: readonly HttpInterceptorFn[]): HttpClient {
  return createEnvironmentInjector(
    [provideHttpClient(withXhr(), withInterceptors([problemInterceptor, ...interceptors]))],
    inject(EnvironmentInjector),
  ).get(HttpClient);
}

/**
 * Waits for the response of an upload. An abort before the last byte cancels it, and the server discards the body;
 * after the last byte the upload may have succeeded, so the response is awaited.
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
