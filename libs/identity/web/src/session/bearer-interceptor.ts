import { HttpErrorResponse, type HttpInterceptorFn, type HttpRequest } from '@angular/common/http';
import { DOCUMENT, inject } from '@angular/core';
import { HttpProblem } from '@homeport/platform/web';
import { catchError, from, switchMap, throwError } from 'rxjs';
import { AuthSession } from './auth-session';
import { isSameOriginApi } from './same-origin-api';

/**
 * Sends the token with every call to our API and with no other call. After a 401, repeats the call once with a new
 * token; without one, or if it is refused too, the session has ended.
 */
export const bearerInterceptor: HttpInterceptorFn = (request, next) => {
  if (!isSameOriginApi(request.url, inject(DOCUMENT).baseURI)) return next(request);
  const session = inject(AuthSession);
  return from(session.getToken()).pipe(
    switchMap((token) =>
      next(withToken(request, token)).pipe(
        catchError((error: unknown) =>
          isUnauthenticated(error)
            ? from(session.renewToken(token)).pipe(switchMap((renewed) => next(withToken(request, renewed))))
            : throwError(() => error),
        ),
      ),
    ),
    catchError((error: unknown) => {
      if (isUnauthenticated(error)) void session.expire();
      return throwError(() => error);
    }),
  );
};

function withToken<T>(request: HttpRequest<T>, token: string): HttpRequest<T> {
  return request.clone({ setHeaders: { Authorization: `Bearer ${token}` } });
}

function isUnauthenticated(error: unknown): boolean {
  return (error instanceof HttpErrorResponse || error instanceof HttpProblem) && error.status === 401;
}
