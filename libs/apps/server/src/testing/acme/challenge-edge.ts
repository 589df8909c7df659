import 'reflect-metadata';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { createSecureContext } from 'node:tls';
import { Extension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import type { InMemoryChallengeAnswers } from '../../certificates/adapters/memory/in-memory-challenge-answers';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** The extension of RFC 8737. */
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
const OCTET_STRING = 0x04;

/** Returns the answers to challenges over HTTP and TLS, as edges do. */
export class ChallengeEdge {
  readonly #http: Server;
  readonly #tls: ReturnType<typeof createTlsServer>;
  /** What was asked, by type. */
  readonly asked: { readonly type: string; readonly name: string }[] = [];

  constructor(answers: InMemoryChallengeAnswers) {
    this.#http = createHttpServer((request, response) => {
      const name = String(request.headers.host).replace(/:\d+$/, '');
      this.asked.push({ type: 'http-01', name });
      const token = request.url?.split('/').at(-1);
      const answer = answers.all().find((each) => each.token === token && each.name === name);
      response.writeHead(answer ? 200 : 404).end(answer?.value);
    });
    this.#tls = createTlsServer({
      ALPNProtocols: ['acme-tls/1'],
      SNICallback: (name, done) => {
        this.asked.push({ type: 'tls-alpn-01', name });
        const answer = answers.all().find((each) => each.type === 'tls-alpn-01' && each.name === name);
        if (!answer) return done(new Error('no answer'));
        void alpnCertificate(name, answer.value).then((pair) => done(null, createSecureContext(pair)));
      },
    });
    this.#tls.on('secureConnection', (socket: TLSSocket) => socket.on('error', () => undefined));
  }

  async listen(): Promise<{ readonly httpPort: number; readonly tlsPort: number }> {
    return { httpPort: await listen(this.#http), tlsPort: await listen(this.#tls) };
  }

  close(): void {
    this.#http.closeAllConnections();
    this.#http.close();
    this.#tls.close();
  }
}

async function alpnCertificate(name: string, keyAuthorization: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const digest = createHash('sha256').update(keyAuthorization).digest();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    keys: {
      privateKey: privateKey.toCryptoKey(ALGORITHM, true, ['sign']),
      publicKey: publicKey.toCryptoKey(ALGORITHM, true, ['verify']),
    },
    signingAlgorithm: ALGORITHM,
    extensions: [
      new SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
      new Extension(ACME_IDENTIFIER, true, Buffer.concat([Buffer.of(OCTET_STRING, digest.length), digest])),
    ],
  });
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }), cert: certificate.toString('pem') };
}

function listen(server: NetServer): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
