/** Error codes of RFC 6749, section 5.2, and RFC 8693, section 2.2.2. */
export type ExchangeErrorCode = 'invalid_request' | 'invalid_scope' | 'unsupported_grant_type';

/**
 * A token exchange that is refused. It is sent in the form of RFC 6749. The reason is for the log: the caller must not
 * learn which apps exist and which trusts they have.
 */
export class ExchangeRefused extends Error {
  override readonly name = 'ExchangeRefused';

  /** @param description is sent to the caller. @param reason is logged. */
  constructor(
    readonly code: ExchangeErrorCode,
    readonly description: string,
    readonly reason: string = description,
  ) {
    super(description);
  }
}

/**
 * A subject token that a trust admits, but that was used before. Its first exchange has told its holder that the app
 * and the trust exist, so this response may differ.
 */
export function subjectTokenReused(): ExchangeRefused {
  return new ExchangeRefused('invalid_request', 'The subject token was already exchanged. Request a new one.');
}

/** Every other rejected subject token gets the same response, which does not reveal whether the app or a trust exists. */
export function subjectTokenRefused(reason: string): ExchangeRefused {
  return new ExchangeRefused('invalid_request', 'The subject token is not accepted for this audience.', reason);
}
