import {
  HttpErrorResponse,
  HttpEventType,
  type HttpHeaders,
  type HttpInterceptorFn,
  type HttpRequest,
  type HttpResponse,
} from '@angular/common/http';
import { inject } from '@angular/core';
import { catchError, from, switchMap, tap, throwError } from 'rxjs';
import { Connection } from '../connection/connection';
import { type FailedResponse, problemFrom, type HttpProblem } from './http-problem';

/**
 * Converts every failed call into an `HttpProblem` and records whether the server is reachable. It must be the first
 * interceptor, to see the errors that the others do not handle.
 */
export const problemInterceptor: HttpInterceptorFn = (request, next) => {
  const connection = inject(Connection);
  return next(request).pipe(
    tap((event) => {
      if (event.type !== HttpEventType.Response) return;
      connection.recordResponse();
      if (hasNoData(request, event)) throw problemFrom({ status: event.status, body: '', ...contextOf(event.headers) });
    }),
    catchError((error: unknown) =>
      error instanceof HttpErrorResponse
        ? from(problemIn(error)).pipe(
            tap(({ kind }) => connection.recordFailure(kind)),
            switchMap((problem) => throwError(() => problem)),
          )
        : throwError(() => error),
    ),
  );
};

/** Every successful read of JSON has a body. A proxy that is broken may send none, and a screen would wait for data. */
function hasNoData({ method, responseType }: HttpRequest<unknown>, { status, body }: HttpResponse<unknown>): boolean {
  return method === 'GET' && responseType === 'json' && status === 200 && body === null;
}

async function problemIn(response: HttpErrorResponse): Promise<HttpProblem> {
  return problemFrom({
    status: response.status,
    body: await bodyText(response.error),
    ...contextOf(response.headers),
  });
}

function contextOf(headers: HttpHeaders): Pick<FailedResponse, 'requestId' | 'online'> {
  return { requestId: headers.get('X-Request-Id'), online: navigator.onLine };
}

/** The error body as text; its type depends on the request's `responseType`. */
async function bodyText(body: unknown): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Blob) return body.text();
  if (body instanceof ArrayBuffer) return new TextDecoder().decode(body);
  if (body instanceof Event || body instanceof Error) return '';
  return JSON.stringify(body) ?? '';
}
