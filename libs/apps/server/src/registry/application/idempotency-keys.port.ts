/** A request with an idempotency key. */
export interface IdempotentRequest {
  readonly organization: string;
  readonly key: string;
  /** A hash that is equal for equal requests. */
  readonly fingerprint: string;
}

/** A stored response, which is sent again for repeated requests. */
export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
}

export type KeyState =
  | { readonly kind: 'new' }
  | { readonly kind: 'completed'; readonly response: StoredResponse }
  | { readonly kind: 'running' }
  /** The key was used for another request. */
  | { readonly kind: 'mismatch' }
  /** The first request registered this app, but was interrupted before its response was stored. */
  | { readonly kind: 'unfinished'; readonly appId: string };

/** Stores idempotency keys of registrations for 24 hours. Every method can reject with DatabaseUnavailable. */
export abstract class IdempotencyKeys {
  /** Acquires a key. With `new` and `unfinished`, only this caller may process the request for the next 15 s. */
  abstract begin(request: IdempotentRequest): Promise<KeyState>;

  /** Links the key to the app that its request registers, in the same unit of work. Does nothing for an absent key. */
  abstract linkApp(organization: string, key: string, appId: string): Promise<void>;

  /**
   * Stores the response, unless the key has one. Does not store an error once the key has an app: a request that took
   * longer than 15 s may run concurrently with its repetition, and both call this method.
   */
  abstract finish(request: IdempotentRequest, response: StoredResponse): Promise<void>;

  /** Removes a key whose request had no effect. */
  abstract release(request: IdempotentRequest): Promise<void>;

  /** Removes keys that are older than 24 hours. */
  abstract removeExpired(): Promise<void>;
}
