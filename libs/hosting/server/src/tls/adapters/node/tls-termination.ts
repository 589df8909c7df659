import type { RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import { DatabaseUnavailable } from '@homeport/kernel';
import type { EdgeLog } from '../../../routing/adapters/http/edge-log';
import { CertificateCache } from '../../application/certificate-cache';
import type { CertificateChangeFeed, CertificateDirectory } from '../../application/certificate-directory.port';
import { createChallengeServer } from './challenge-server';
import { peekClientHello } from './client-hello';
import { rotateTicketKeys, TICKET_LIFETIME_S } from './session-tickets';

const HANDSHAKE_LIMIT_MS = 10_000;

/** With TLS 1.2 only forward secrecy and authenticated encryption, as Mozilla's “intermediate” configuration. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

export interface TlsTerminationOptions {
  readonly directory: CertificateDirectory;
  readonly changes: CertificateChangeFeed;
  /** 32 bytes that all edges share, from which the keys of session tickets are derived. */
  readonly ticketSecret: Buffer;
  readonly log: EdgeLog;
}

/** Terminates TLS for the hosts that have a certificate. Handshakes for other hosts are refused. */
export class TlsTermination {
  readonly certificates: CertificateCache<SecureContext>;
  readonly #options: TlsTerminationOptions;

  constructor(options: TlsTerminationOptions) {
    const { directory, changes, log } = options;
    this.#options = options;
    this.certificates = new CertificateCache({
      directory,
      changes,
      createContext: ({ chain, key }) => createSecureContext({ cert: chain, key }),
      freeContext,
      onUnusable: (error, hostname) => log.error(error, `the certificate of ${hostname} cannot be used`),
    });
  }

  /** Creates an HTTP server that takes connections over TLS. */
  createServer(options: ServerOptions, handle: RequestListener): Server {
    const server = createServer(
      {
        ...options,
        minVersion: 'TLSv1.2',
        ciphers: CIPHERS,
        honorCipherOrder: true,
        handshakeTimeout: HANDSHAKE_LIMIT_MS,
        sessionTimeout: TICKET_LIFETIME_S,
        ALPNProtocols: ['http/1.1'],
        SNICallback: (servername, done) => this.#select(servername, done),
      },
      handle,
    );
    rotateTicketKeys(server, this.#options.ticketSecret);
    this.#divertChallenges(server);
    return server;
  }

  /** Without a context, OpenSSL refuses the handshake with an alert. */
  #select(servername: string, done: (error: Error | null, context?: SecureContext) => void): void {
    this.certificates.findContext(servername.toLowerCase()).then(
      (context) => done(null, context),
      (error: unknown) => {
        this.#report(error);
        done(null);
      },
    );
  }

  /** The pool logs outages of PostgreSQL. */
  #report(error: unknown): void {
    if (!(error instanceof DatabaseUnavailable)) this.#options.log.error(error, 'a TLS handshake failed');
  }

  /** Hands connections for TLS-ALPN-01 challenges to another server. */
  #divertChallenges(server: Server): void {
    const challenges = createChallengeServer(
      (name) => this.#options.directory.findKeyAuthorization({ type: 'tls-alpn-01', name }),
      (error) => this.#report(error),
      HANDSHAKE_LIMIT_MS,
    );
    const [accept] = server.listeners('connection') as ((socket: Duplex) => void)[];
    if (!accept) throw new Error('The server has no listener for connections.');
    server.off('connection', accept).on('connection', (socket) => {
      peekClientHello(socket, HANDSHAKE_LIMIT_MS, (intent) => {
        if (intent === 'challenge') challenges.emit('connection', socket);
        else if (intent === 'visit') accept.call(server, socket);
        else socket.destroy();
      });
    });
  }
}

/**
 * Node frees a context when it collects garbage, which it rarely does, because it counts 1 KiB of the 36 KiB of a context.
 * An edge with many domains would keep 24,000 of them.
 */
function freeContext({ context }: SecureContext): void {
  (context as { close(): void }).close();
}
