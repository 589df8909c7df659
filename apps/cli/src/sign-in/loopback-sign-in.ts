import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { CliError } from '../cli.errors';
import type { Credentials } from '../credentials/credentials';
import { credentialsFrom, discoverIssuer, type IdentityService } from './identity-client';

const CALLBACK = '/callback';
const LIMIT_MS = 10 * 60_000;

export interface LoopbackSignIn extends IdentityService {
  readonly scope: string;
  readonly signal: AbortSignal;
  /** Shows the address of the sign-in to the person, or opens it. */
  readonly open: (url: string) => void | Promise<void>;
}

/**
 * Signs a person in with a browser on this machine: authorization code with PKCE, and a redirect to a free port of the
 * loopback interface (RFC 8252).
 */
export async function signInByLoopback(options: LoopbackSignIn): Promise<Credentials> {
  const configuration = await discoverIssuer(options);
  const [verifier, state] = [randomPKCECodeVerifier(), randomState()];
  const server = createServer();
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(LIMIT_MS)]);
    const answered = redirectTo(server, { origin, state, signal });
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: origin + CALLBACK,
      scope: options.scope,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });
    await options.open(url.href);
    const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true };
    return credentialsFrom(options, await authorizationCodeGrant(configuration, await answered, checks));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

interface ExpectedRedirect {
  readonly origin: string;
  readonly state: string;
  readonly signal: AbortSignal;
}

/**
 * Waits for the redirect of the identity service. Other requests get 404: for an icon, or without the state of this
 * sign-in, with which any page of the browser could end it.
 */
function redirectTo(server: Server, { origin, state, signal }: ExpectedRedirect): Promise<URL> {
  const answered = new Promise<URL>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    server.on('request', (request, response) => {
      // Pages of the browser may request "//", which is no address.
      const url = URL.canParse(request.url ?? '/', origin) ? new URL(request.url ?? '/', origin) : new URL(origin);
      const isOurs = url.pathname === CALLBACK && url.searchParams.get('state') === state;
      const isAnswer = isOurs && (url.searchParams.has('code') || url.searchParams.has('error'));
      const isDenied = url.searchParams.has('error');
      response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
      response.end(isAnswer ? pageText(isDenied) : 'Not found\n');
      if (isAnswer && isDenied) reject(denied(url.searchParams));
      else if (isAnswer) response.once('finish', () => resolve(url));
    });
  });
  // A sign-in that fails before it waits must not end the process.
  answered.catch(() => undefined);
  return answered;
}

function pageText(isDenied: boolean): string {
  return isDenied
    ? 'The sign-in was cancelled. Close this page and return to the terminal.\n'
    : 'Signed in. Close this page and return to the terminal.\n';
}

function denied(query: URLSearchParams): CliError {
  const reason = query.get('error_description') ?? query.get('error');
  return new CliError(
    `The identity service rejected the sign-in: ${reason}.`,
    'unauthenticated',
    'Run "homeport login" again.',
  );
}
