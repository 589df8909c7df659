import { createHash } from 'node:crypto';
import { createSecureContext, createServer, type SecureContext, type Server } from 'node:tls';
import { generateCertificateKey, octetString, signCertificate } from '@homeport/platform/server/certificates';

export const CHALLENGE_PROTOCOL = 'acme-tls/1';
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
const VALIDITY_MS = 24 * 3_600_000;

/** @returns the key authorization of a pending challenge. */
export type FindKeyAuthorization = (hostname: string) => Promise<string | undefined>;

/**
 * Answers TLS-ALPN-01 challenges (RFC 8737): presents a certificate that proves control of the host, and closes the
 * connection. It does not listen: connections are handed to it.
 */
export function createChallengeServer(
  find: FindKeyAuthorization,
  onError: (error: unknown) => void,
  handshakeTimeout: number,
): Server {
  const server = createServer({
    handshakeTimeout,
    minVersion: 'TLSv1.2',
    ALPNProtocols: [CHALLENGE_PROTOCOL],
    SNICallback: (servername, done) => {
      const hostname = servername.toLowerCase();
      find(hostname).then(
        (keyAuthorization) =>
          done(null, keyAuthorization === undefined ? undefined : answer(hostname, keyAuthorization)),
        (error: unknown) => {
          onError(error);
          done(null, undefined);
        },
      );
    },
  });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy());
    socket.end();
  });
  return server;
}

function answer(hostname: string, keyAuthorization: string): SecureContext {
  const key = generateCertificateKey();
  const now = Date.now();
  const cert = signCertificate({
    commonName: hostname,
    names: [hostname],
    key,
    notBefore: new Date(now - VALIDITY_MS),
    notAfter: new Date(now + VALIDITY_MS),
    issuer: { commonName: hostname, key },
    extensions: [
      {
        id: ACME_IDENTIFIER,
        isCritical: true,
        value: octetString(createHash('sha256').update(keyAuthorization).digest()),
      },
    ],
  });
  return createSecureContext({ cert, key: key.export({ type: 'pkcs8', format: 'pem' }) });
}
