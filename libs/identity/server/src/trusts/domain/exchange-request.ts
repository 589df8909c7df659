import { ExchangeRefused } from './token-exchange.errors';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** A request of a pipeline for an access token. */
export interface ExchangeRequest {
  readonly subjectToken: string;
  /** The id of the app. */
  readonly audience: string;
  /** The wanted scopes; undefined for all scopes of the trust. */
  readonly scopes: readonly string[] | undefined;
}

/**
 * Parses the form of a token exchange (RFC 8693, section 2.1). Unknown parameters are ignored, as RFC 6749 requires.
 * @throws {ExchangeRefused}
 */
export function parseExchangeRequest(form: URLSearchParams): ExchangeRequest {
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1) throw invalid(`The parameter ${name} is repeated.`);
  }
  const grantType = required(form, 'grant_type');
  if (grantType !== GRANT_TYPE) {
    throw new ExchangeRefused('unsupported_grant_type', `The only supported grant type is ${GRANT_TYPE}.`);
  }
  if (required(form, 'subject_token_type') !== ID_TOKEN) throw invalid(`subject_token_type must be ${ID_TOKEN}.`);
  if (![null, '', ACCESS_TOKEN].includes(form.get('requested_token_type'))) {
    throw invalid(`requested_token_type must be ${ACCESS_TOKEN} or absent.`);
  }
  if (form.has('actor_token')) throw invalid('actor_token is not supported.');
  const scopes = form.get('scope')?.split(' ').filter(Boolean);
  return {
    subjectToken: required(form, 'subject_token'),
    audience: required(form, 'audience'),
    scopes: scopes?.length === 0 ? undefined : scopes,
  };
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name) ?? '';
  if (value === '') throw invalid(`The parameter ${name} is missing.`);
  return value;
}

function invalid(description: string): ExchangeRefused {
  return new ExchangeRefused('invalid_request', description);
}
