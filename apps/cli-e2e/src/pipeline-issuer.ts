import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Issues ID tokens to pipelines, like GitHub Actions and GitLab. */
export class PipelineIssuer {
  private constructor(
    private readonly server: Server,
    private readonly claims: Readonly<Record<string, string>>,
  ) {}

  static async start(claims: Readonly<Record<string, string>>): Promise<PipelineIssuer> {
    const server = createServer();
    const issuer = new PipelineIssuer(server, claims);
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', issuer.url);
      void issuer.#answer(pathname, searchParams.get('audience') ?? '').then((body) => {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The variables of a pipeline at GitHub. */
  get variables(): Record<string, string> {
    return {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${this.url}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request',
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #answer(path: string, audience: string): Promise<object> {
    if (path === '/token') return { value: await this.idToken(audience) };
    if (path === '/jwks')
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] };
    return {
      issuer: this.url,
      jwks_uri: `${this.url}/jwks`,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  /** Issues a token to a job; each one is different. @param claims replace those of the issuer. */
  idToken(audience: string, claims: Readonly<Record<string, string>> = {}): Promise<string> {
    return new SignJWT({ sub: 'repo:acme/shop', ...this.claims, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'JWT' })
      .setIssuer(this.url)
      .setAudience(audience)
      .setJti(String(process.hrtime.bigint()))
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
  }
}
