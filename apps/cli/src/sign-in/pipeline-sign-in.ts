import { ApiProblem, type Homeport } from '@homeport/api-client';
import { CliError, UsageError } from '../cli.errors';
import type { Credentials } from '../credentials/credentials';
import type { Variables } from '../environment';

interface ExchangedToken {
  readonly access_token: string;
  readonly expires_in: number;
}

/**
 * Exchanges the ID token of a pipeline for an access token to one app (RFC 8693).
 * @throws {UsageError} when the pipeline has no ID token. @throws {CliError} when no trust matches it.
 */
export async function signInAsPipeline(homeport: Homeport, appId: string, variables: Variables): Promise<Credentials> {
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: await idTokenOf(variables, homeport.baseUrl),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    audience: appId,
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  try {
    const response = await homeport.send({ method: 'POST', path: '/auth/token', headers, body: String(form) });
    const { access_token, expires_in } = (await response.json()) as ExchangedToken;
    return { access_token, expires_at: Date.now() + expires_in * 1_000 };
  } catch (error) {
    if (!(error instanceof ApiProblem) || ![400, 401].includes(error.status)) throw error;
    const nextStep =
      'Compare the claims of the ID token with "homeport trusts list <app>". It works once for each app: ' +
      'repeat the job for a new one.';
    throw new CliError(`The server rejected the pipeline: ${error.detail}`, 'unauthenticated', nextStep);
  }
}

/** GitLab and others pass the token in HOMEPORT_ID_TOKEN; GitHub Actions issues it on request. */
async function idTokenOf(variables: Variables, audience: string): Promise<string> {
  const given = variables['HOMEPORT_ID_TOKEN'];
  if (given) return given;
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = variables;
  if (!url || !token) {
    throw new UsageError(
      'This pipeline has no ID token.',
      'GitHub: add "permissions: id-token: write". GitLab: add "id_tokens: HOMEPORT_ID_TOKEN". See docs/ci.md.',
    );
  }
  const request = new URL(url);
  request.searchParams.set('audience', audience);
  const response = await fetch(request, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok)
    throw new CliError(`GitHub answered ${response.status} to the request for an ID token.`, 'unavailable');
  return ((await response.json()) as { value: string }).value;
}
