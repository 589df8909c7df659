import { HttpErrorResponse, HttpEventType, type HttpInterceptorFn } from '@angular/common/http';
import { inject } from '@angular/core';
import { catchError, from, switchMap, tap, throwError } from 'rxjs';
import { Connection } from '../connection/connection';
import { problemFrom, type HttpProblem } from './http-problem';

/**
 * Converts every failed call into an `HttpProblem` and records whether the server is reachable. It must be the first
 * interceptor, to see the errors that the others do not handle.
 */
export const problemInterceptor: HttpInterceptorFn = (request, next) => {
  const connection = inject(Connection);
  return next(request).pipe(
    tap(({ type }) => {
      if (type === HttpEventType.Response) connection.recordResponse();
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

async function problemIn(response: HttpErrorResponse): Promise<HttpProblem> {
  return problemFrom({
    status: response.status,
    body: await bodyText(response.error),
    requestId: response.headers.get('X-Request-Id'),
    online: navigator.onLine,
  });
}

/** The error body as text; its type depends on the request's `responseType`. */
async function bodyText(body: unknown): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Blob) return body.text();
  if (body instanceof ArrayBuffer) return new TextDecoder().decode(body);
  if (body instanceof Event || body instanceof Error) return '';
  return JSON.stringify(body) ?? '';
}
