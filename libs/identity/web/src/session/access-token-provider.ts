import type { BrowserSession, SessionUser } from '@homeport/identity/contracts';

/** `unreachable`: nobody could be asked, which is not the same as having no session. */
export type SessionState = 'unknown' | 'signed-in' | 'signed-out' | 'unreachable';

export interface SessionStatus {
  readonly state: SessionState;
  /** The last known person; kept while unreachable, gone once signed out. */
  readonly user: SessionUser | undefined;
}

/** Where sessions come from. */
export interface SessionSource {
  /**
   * The current session, undefined when there is none. Rejects when that could not be found out; safe to repeat.
   * @param refused a token the API did not take: a session that still holds it gets another one.
   */
  find(refused?: string): Promise<BrowserSession | undefined>;
  /** Ends the session, also when it has ended before. Rejects when it may still be there. */
  end(): Promise<void>;
}

/** A token this close to its end is replaced before it is used. */
const REFRESH_BEFORE_EXPIRY_MS = 60_000;
/** A token this young is used whatever its end says: the clocks of this device and the server may differ. */
const MIN_TOKEN_AGE_MS = 30_000;

/** Holds the one access token, in memory only, and replaces it in time, with one request at a time. */
export class AccessTokenProvider {
  #session: BrowserSession | undefined;
  #foundAt = 0;
  #search: Promise<BrowserSession | undefined> | undefined;
  #generation = 0;
  readonly #source: SessionSource;
  readonly #changed: (status: SessionStatus) => void;
  readonly #now: () => number;

  constructor(source: SessionSource, changed: (status: SessionStatus) => void, now: () => number = Date.now) {
    this.#source = source;
    this.#changed = changed;
    this.#now = now;
  }

  /** A usable token, undefined when signed out. Rejects when there is none and nobody can be asked. */
  async token(): Promise<string | undefined> {
    const held = this.#session;
    if (held && !this.#isDue(held)) return held.access_token;
    try {
      return (await this.refresh())?.access_token;
    } catch (error) {
      if (held && held === this.#session && this.#isUsable(held)) return held.access_token;
      throw error;
    }
  }

  /** Another token than `refused`, which the API did not take; undefined when there is none and the session is over. */
  async renew(refused: string): Promise<string | undefined> {
    // What was asked for before may bring the very token that was refused since.
    await this.#search;
    const held = this.#session;
    if (held && held.access_token !== refused) return held.access_token;
    const renewed = (await this.refresh(refused))?.access_token;
    return renewed === refused ? undefined : renewed;
  }

  /** Asks the source, for another token than `refused`; whoever asks meanwhile shares the answer. */
  refresh(refused?: string): Promise<BrowserSession | undefined> {
    this.#search ??= this.#find(refused).finally(() => (this.#search = undefined));
    return this.#search;
  }

  /** Forgets the session here, also one that is being asked for right now. */
  forget(): void {
    this.#generation += 1;
    this.#session = undefined;
    this.#changed({ state: 'signed-out', user: undefined });
  }

  /** Ends the session everywhere. When that fails, it is kept: the person is still signed in. */
  async end(): Promise<void> {
    await this.#source.end();
    this.forget();
  }

  async #find(refused: string | undefined): Promise<BrowserSession | undefined> {
    const generation = this.#generation;
    try {
      const found = await this.#source.find(refused);
      if (generation !== this.#generation) return undefined;
      this.#session = found;
      this.#foundAt = this.#now();
      this.#changed({ state: found ? 'signed-in' : 'signed-out', user: found?.user });
      return found;
    } catch (error) {
      const held = this.#session;
      const stillGood = held !== undefined && this.#isUsable(held);
      if (generation === this.#generation && !stillGood) this.#changed({ state: 'unreachable', user: held?.user });
      throw error;
    }
  }

  #isDue(session: BrowserSession): boolean {
    return (
      this.#now() - this.#foundAt >= MIN_TOKEN_AGE_MS &&
      Date.parse(session.expires_at) - this.#now() <= REFRESH_BEFORE_EXPIRY_MS
    );
  }

  #isUsable(session: BrowserSession): boolean {
    return Date.parse(session.expires_at) > this.#now();
  }
}
