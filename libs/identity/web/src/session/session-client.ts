import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import {
  type BrowserSession,
  NO_SESSION,
  REFUSED_TOKEN_HEADER,
  type SessionList,
  type SignInProvider,
} from '@homeport/identity/contracts';
import { responseOf, HttpProblem } from '@homeport/platform/web';
import type { SessionSource, SignOutScope } from './access-token-provider';

/** After this time the identity service counts as unreachable. */
const REQUEST_TIMEOUT_MS = 8_000;
/** The sign-out response arrives only after the browser has deleted the storage of this origin. */
const SIGN_OUT_TIMEOUT_MS = 20_000;
/** Sign-out bypasses the service worker: the response removes the worker, which could then not deliver it. */
const BYPASS_SERVICE_WORKER = { 'ngsw-bypass': '' } as const;
/** A server without browser sign-in has no sessions. */
const SIGN_IN_DISABLED = 'identity.sign-in-disabled';

/** The `/auth` calls. Each throws an `HttpProblem` on failure. */
@Service()
export class SessionClient implements SessionSource {
  readonly #http = inject(HttpClient);

  /**
   * Whether the server reported with this page that this browser has no session. Ignored for pages from a service
   * worker or the back/forward history, because their report may be outdated.
   */
  isKnownSignedOut(): boolean {
    if (navigator.serviceWorker?.controller) return false;
    const pages = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return pages.some(
      ({ type, serverTiming }) => type !== 'back_forward' && serverTiming.some(({ name }) => name === NO_SESSION),
    );
  }

  async find(refused?: string): Promise<BrowserSession | undefined> {
    const headers = refused === undefined ? undefined : { [REFUSED_TOKEN_HEADER]: await digestOf(refused) };
    try {
      return await responseOf(
        this.#http.get<BrowserSession>('/auth/session', { headers, timeout: REQUEST_TIMEOUT_MS }),
      );
    } catch (error) {
      if (isNoSession(error)) return undefined;
      throw error;
    }
  }

  /** Ends the session of this browser, or all sessions of its user. */
  async end(scope: SignOutScope): Promise<void> {
    const options = { headers: BYPASS_SERVICE_WORKER, timeout: SIGN_OUT_TIMEOUT_MS };
    try {
      if (scope === 'everywhere') await responseOf(this.#http.delete('/auth/sessions', options));
      else await responseOf(this.#http.post('/auth/sign-out', null, options));
    } catch (error) {
      // An ended session proves nothing about the others.
      if (scope === 'everywhere' || !isNoSession(error)) throw error;
    }
  }

  sessions(signal?: AbortSignal): Promise<SessionList> {
    return responseOf(this.#http.get<SessionList>('/auth/sessions', { timeout: REQUEST_TIMEOUT_MS }), signal);
  }

  /** Ends another session of the same user. */
  async endSession(id: string): Promise<void> {
    await responseOf(this.#http.delete(`/auth/sessions/${encodeURIComponent(id)}`, { timeout: REQUEST_TIMEOUT_MS }));
  }

  providers(signal?: AbortSignal): Promise<readonly SignInProvider[]> {
    return responseOf(
      this.#http.get<readonly SignInProvider[]>('/auth/providers', { timeout: REQUEST_TIMEOUT_MS }),
      signal,
    );
  }
}

/** SHA-256, base64url. */
async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function isNoSession(error: unknown): boolean {
  return error instanceof HttpProblem && (error.status === 401 || error.code === SIGN_IN_DISABLED);
}
