import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CompactJWSHeaderParameters, CompactSign } from 'jose';
import type { TokenRules } from '../domain/token-policy';

type Json = Readonly<Record<string, unknown>>;

const PAIRS = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
} as const;
export type TestAlgorithm = keyof typeof PAIRS;

/** A test issuer: signs any payload and serves its keys, or any scripted response. */
export class TestIssuer {
  readonly keys = PAIRS;
  readonly audience = 'homeport-api';
  /** Number of requests for the keys. */
  fetches = 0;
  /** Answers the requests for the keys; `undefined` serves the keys. */
  answer: RequestListener | undefined;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<TestIssuer> {
    const server = createServer();
    const issuer = new TestIssuer(server);
    server.on('request', (request, response) => {
      issuer.fetches++;
      if (issuer.answer) issuer.answer(request, response);
      else response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: issuer.jwks() }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get jwksUri(): string {
    return `${this.url}/jwks.json`;
  }

  /** Serves a discovery document beside the keys, like the issuers of pipelines. */
  serveDiscovery(): void {
    this.answer = (request, response) => {
      const isDiscovery = request.url === '/.well-known/openid-configuration';
      const body = isDiscovery ? { issuer: this.url, jwks_uri: this.jwksUri } : { keys: this.jwks() };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    };
  }

  /** The token rules of an API that trusts this issuer. */
  rules(changes: Partial<TokenRules> = {}): TokenRules {
    return {
      issuer: this.url,
      audience: this.audience,
      audienceClaim: 'aud',
      organizationClaim: 'org_id',
      algorithms: Object.keys(PAIRS),
      clockSkewSeconds: 30,
      ...changes,
    };
  }

  jwks(): Json[] {
    return Object.entries(PAIRS).map(([alg, { publicKey }]) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid: alg,
      use: 'sig',
      alg,
    }));
  }

  /** Claims of a valid token. */
  claims(changes: Json = {}): Json {
    const now = Math.floor(Date.now() / 1_000);
    return { iss: this.url, aud: this.audience, sub: 'person-1', iat: now, exp: now + 600, ...changes };
  }

  /** Signs `payload`: an object, or any text. */
  async sign(
    payload: Json | string,
    header: Partial<CompactJWSHeaderParameters> = {},
    key?: KeyObject,
  ): Promise<string> {
    const { alg = 'RS256' } = header;
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return new CompactSign(Buffer.from(text))
      .setProtectedHeader({ kid: alg, typ: 'at+jwt', ...header, alg })
      .sign(key ?? PAIRS[alg as TestAlgorithm].privateKey);
  }

  /** A valid token of a person. */
  token(changes: Json = {}): Promise<string> {
    return this.sign(this.claims(changes));
  }
}
