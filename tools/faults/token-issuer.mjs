import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const AUDIENCE = 'homeport-faults';
const KEY_ID = 'faults';

/** Starts an OpenID issuer on loopback whose tokens can name any person and organization. */
export async function startTokenIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'ES256', use: 'sig' }];
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    /** The environment that makes the API accept the tokens. */
    env: { AUTH_ISSUER: url, AUTH_JWKS_URI: `${url}/jwks.json`, AUTH_AUDIENCE: AUDIENCE, AUTH_CLIENT_ID: '' },
    /** @returns an access token that is valid for 24 hours. */
    token: (subject, organization) =>
      new SignJWT({ org_id: organization })
        .setProtectedHeader({ alg: 'ES256', kid: KEY_ID })
        .setIssuer(url)
        .setAudience(AUDIENCE)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('24h')
        .sign(privateKey),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
