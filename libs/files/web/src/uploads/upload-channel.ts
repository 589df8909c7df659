import {
  HttpClient,
  HttpContext,
  HttpContextToken,
  HttpErrorResponse,
  HttpEventType,
  type HttpInterceptorFn,
  provideHttpClient,
  withInterceptors,
  withXhr,
} from '@angular/common/http';
import { createEnvironmentInjector, EnvironmentInjector, inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { bearerInterceptor } from '@homeport/identity/web';
import { answerOf, asHttpProblem, type HttpProblem, problemInterceptor } from '@homeport/platform/web';
import { filter, map, tap } from 'rxjs';
import { fileAddress } from '../tree/file-links';
import { retryAfterMs } from './retry-schedule';
import type { UploadItem } from './upload-plan';

/** Why a file could not be sent, and when the server wants to see it again. */
export interface FailedSending {
  readonly problem: HttpProblem;
  readonly retryAfterMs: number | undefined;
}

export type Sending = { readonly entry: FileEntry } | FailedSending;

const WAIT = new HttpContextToken<{ ms: number | undefined }>(() => ({ ms: undefined }));

/** Keeps what the server asks for, which the problem made of its answer does not tell. */
const waitInterceptor: HttpInterceptorFn = (request, next) =>
  next(request).pipe(
    tap({
      error: (error: unknown) => {
        if (!(error instanceof HttpErrorResponse)) return;
        request.context.get(WAIT).ms = retryAfterMs(error.headers.get('Retry-After'), Date.now());
      },
    }),
  );

/**
 * Sends files with progress. What is aborted is cancelled, and the server keeps nothing of the body; only what has left
 * this device by then is stored, so its answer is waited for.
 */
@Service()
export class UploadChannel {
  // Only XMLHttpRequest tells how much of a body has been sent, so uploads have a client of their own.
  readonly #http = createEnvironmentInjector(
    [provideHttpClient(withXhr(), withInterceptors([problemInterceptor, bearerInterceptor, waitInterceptor]))],
    inject(EnvironmentInjector),
  ).get(HttpClient);

  /** Never rejects but when it is aborted. @param sent is told the bytes that have left this device. */
  async send(item: UploadItem, sent: (bytes: number) => void, signal: AbortSignal): Promise<Sending> {
    const { key, content, replace } = item;
    const headers = {
      // Behind the service worker there would be no progress.
      'ngsw-bypass': '',
      ...(!replace && { 'If-None-Match': '*' }),
    };
    // Without the type, which browsers guess from the name, each in its own way: the server does it in one.
    const bytes = content.slice();
    const context = new HttpContext();
    const stop = new AbortController();
    let gone = 0;
    const cancel = (): void => {
      if (gone < bytes.size) stop.abort(signal.reason);
    };
    signal.addEventListener('abort', cancel);
    const call = this.#http
      .put<FileEntry>(fileAddress(key), bytes, { context, headers, observe: 'events', reportUploadProgress: true })
      .pipe(
        tap((event) => {
          if (event.type !== HttpEventType.UploadProgress) return;
          gone = event.loaded;
          sent(gone);
        }),
        map((event) => (event.type === HttpEventType.Response ? event.body : null)),
        filter((entry) => entry !== null),
      );
    try {
      signal.throwIfAborted();
      return { entry: await answerOf(call, stop.signal) };
    } catch (error) {
      signal.throwIfAborted();
      return { problem: asHttpProblem(error), retryAfterMs: context.get(WAIT).ms };
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}
