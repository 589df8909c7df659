import type { BrowserSession, SessionUser } from '@homeport/identity/contracts';

/** `unreachable`: the request failed, so it is unknown whether a session exists. */
export type SessionState = 'unknown' | 'signed-in' | 'signed-out' | 'unreachable';

export interface SessionStatus {
  readonly state: SessionState;
  /** The last known user; kept while unreachable, undefined after a sign-out. */
  readonly user: SessionUser | undefined;
}

export type SignOutScope = 'here' | 'everywhere';

/** Reads and ends the session. */
export interface SessionSource {
  /**
   * Reads the current session. Safe to repeat; rejects when the session state is unknown.
   * @param refused a token that the API refused: a session that still holds this token renews it.
   * @returns undefined when there is no session.
   */
  find(refused?: string): Promise<BrowserSession | undefined>;
  /** Ends the session, or all sessions of its user. Rejects when one of them may still exist. */
  end(scope: SignOutScope): Promise<void>;
}

/** A token is replaced this long before it expires. */
const REFRESH_BEFORE_EXPIRY_MS = 60_000;
/** A token younger than this is used regardless of its expiry: the clocks of device and server may differ. */
const MIN_TOKEN_AGE_MS = 30_000;

/** Holds the access token in memory only and renews it before it expires, with one request at a time. */
export class AccessTokenProvider {
  #session: BrowserSession | undefined;
  #receivedAt = 0;
  #pending: Promise<BrowserSession | undefined> | undefined;
  #generation = 0;
  readonly #source: SessionSource;
  readonly #onChange: (status: SessionStatus) => void;
  readonly #now: () => number;

  constructor(source: SessionSource, onChange: (status: SessionStatus) => void, now: () => number = Date.now) {
    this.#source = source;
    this.#onChange = onChange;
    this.#now = now;
  }

  /** Returns a usable token; undefined when signed out. Rejects when there is no token and the request fails. */
  async token(): Promise<string | undefined> {
    const current = this.#session;
    if (current && !this.#isRefreshDue(current)) return current.access_token;
    try {
      return (await this.refresh())?.access_token;
    } catch (error) {
      if (current && current === this.#session && this.#isUsable(current)) return current.access_token;
      throw error;
    }
  }

  /** Returns another token than `refused`, which the API refused; undefined when the session has ended. */
  async renew(refused: string): Promise<string | undefined> {
    // A pending request may still return the refused token.
    await this.#pending;
    const current = this.#session;
    if (current && current.access_token !== refused) return current.access_token;
    const renewed = (await this.refresh(refused))?.access_token;
    return renewed === refused ? undefined : renewed;
  }

  /** Requests the session; with `refused`, one with another token. Concurrent callers share the response. */
  refresh(refused?: string): Promise<BrowserSession | undefined> {
    this.#pending ??= this.#find(refused).finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Drops the session in memory, and the result of a pending request. */
  forget(): void {
    this.#generation += 1;
    this.#session = undefined;
    this.#onChange({ state: 'signed-out', user: undefined });
  }

  /** Ends the session on the server. On failure it is kept, because the user is still signed in. */
  async end(scope: SignOutScope): Promise<void> {
    await this.#source.end(scope);
    this.forget();
  }

  async #find(refused: string | undefined): Promise<BrowserSession | undefined> {
    const generation = this.#generation;
    try {
      const found = await this.#source.find(refused);
      if (generation !== this.#generation) return undefined;
      this.#session = found;
      this.#receivedAt = this.#now();
      this.#onChange({ state: found ? 'signed-in' : 'signed-out', user: found?.user });
      return found;
    } catch (error) {
      const current = this.#session;
      const isStillUsable = current !== undefined && this.#isUsable(current);
      if (generation === this.#generation && !isStillUsable)
        this.#onChange({ state: 'unreachable', user: current?.user });
      throw error;
    }
  }

  #isRefreshDue(session: BrowserSession): boolean {
    return (
      this.#now() - this.#receivedAt >= MIN_TOKEN_AGE_MS &&
      Date.parse(session.expires_at) - this.#now() <= REFRESH_BEFORE_EXPIRY_MS
    );
  }

  #isUsable(session: BrowserSession): boolean {
    return Date.parse(session.expires_at) > this.#now();
  }
}
