// Angular's packages are linked at run time outside a build.
import '@angular/compiler';
import { HttpErrorResponse, type HttpEvent, type HttpHandlerFn, HttpRequest, HttpResponse } from '@angular/common/http';
import { DOCUMENT, Injector, runInInjectionContext } from '@angular/core';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { firstValueFrom, type Observable, of, throwError } from 'rxjs';
import { AuthSession } from './auth-session';
import { bearerInterceptor } from './bearer-interceptor';

const PAGE = 'https://home.example/';
let tokens: string[];
let expired: number;
let sent: (string | null)[];
let statuses: number[];

const session = {
  getToken: async () => next('no token'),
  renewToken: async () => next('no renewal'),
  expire: async () => void (expired += 1),
};

function next(missing: string): string {
  const token = tokens.shift();
  if (token === undefined) throw new HttpErrorResponse({ status: 401, statusText: missing });
  return token;
}

const answer: HttpHandlerFn = (request): Observable<HttpEvent<unknown>> => {
  sent.push(request.headers.get('Authorization'));
  const status = statuses.shift() ?? 200;
  return status === 200 ? of(new HttpResponse({ status })) : throwError(() => new HttpErrorResponse({ status }));
};

function call(url: string): Promise<HttpEvent<unknown>> {
  const injector = Injector.create({
    providers: [
      { provide: AuthSession, useValue: session },
      { provide: DOCUMENT, useValue: { baseURI: PAGE } },
    ],
  });
  return runInInjectionContext(injector, () => firstValueFrom(bearerInterceptor(new HttpRequest('GET', url), answer)));
}

beforeEach(() => {
  tokens = ['one', 'two'];
  expired = 0;
  sent = [];
  statuses = [];
});

describe('bearerInterceptor', () => {
  it('sends the token with calls to our API', async () => {
    await call('/api/files');
    expect(sent).toEqual(['Bearer one']);
  });

  it.each(['/v1/pricing', '/auth/session', 'https://evil.example/api/files'])('sends no token to %s', async (url) => {
    await call(url);
    expect(sent).toEqual([null]);
    expect(tokens).toHaveLength(2);
  });

  it('repeats once with a new token after a 401', async () => {
    statuses = [401];
    await call('/api/files');
    expect(sent).toEqual(['Bearer one', 'Bearer two']);
    expect(expired).toBe(0);
  });

  it('expires the session after the second 401', async () => {
    statuses = [401, 401];
    await expect(call('/api/files')).rejects.toMatchObject({ status: 401 });
    expect(sent).toHaveLength(2);
    expect(expired).toBe(1);
  });

  it('sends no request without a session', async () => {
    tokens = [];
    await expect(call('/api/files')).rejects.toMatchObject({ status: 401 });
    expect(sent).toEqual([]);
    expect(expired).toBe(1);
  });

  it.each([403, 404, 503])('does not repeat after %i', async (status) => {
    statuses = [status];
    await expect(call('/api/files')).rejects.toMatchObject({ status });
    expect(sent).toHaveLength(1);
    expect(expired).toBe(0);
  });
});
