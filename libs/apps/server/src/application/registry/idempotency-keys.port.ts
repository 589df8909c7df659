/** One use of a key: by whom, and for which request. */
export interface IdempotentRequest {
  readonly organization: string;
  readonly key: string;
  /** Equal for equal requests. */
  readonly fingerprint: string;
}

/** The answer to a request, as it is repeated. */
export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
}

export type KeyState =
  | { readonly kind: 'new' }
  | { readonly kind: 'answered'; readonly answer: StoredResponse }
  | { readonly kind: 'running' }
  /** The key stands for another request. */
  | { readonly kind: 'mismatch' }
  /** The first request registered this app and then broke off. */
  | { readonly kind: 'unfinished'; readonly appId: string };

/** The keys that make repeats of a registration harmless, 24 hours each. Every method raises DatabaseUnavailable. */
export abstract class IdempotencyKeys {
  /** Takes a key; with `new` and `unfinished` it is the caller who answers now, and nobody else for 15 s. */
  abstract begin(use: IdempotentRequest): Promise<KeyState>;

  /**
   * Keeps the answer, unless there is one. No refusal is kept either once the key has its app: whoever went on for
   * longer than 15 s may have been overtaken by a repeat, and both come here.
   */
  abstract finish(use: IdempotentRequest, answer: StoredResponse): Promise<void>;

  /** Forgets a key whose request did nothing. */
  abstract release(use: IdempotentRequest): Promise<void>;

  /** Forgets keys that are older than 24 hours. */
  abstract removeExpired(): Promise<void>;
}
