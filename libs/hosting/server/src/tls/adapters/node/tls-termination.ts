import type { RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, type SecureContext, type TLSSocket } from 'node:tls';
import { DatabaseUnavailable } from '@homeport/kernel';
import type { EdgeLog } from '../../../routing/adapters/http/edge-log';
import { CertificateCache } from '../../application/certificate-cache';
import type { CertificateChangeFeed, CertificateDirectory } from '../../application/certificate-directory.port';
import { createChallengeServer } from './challenge-server';
import { peekClientHello } from './client-hello';
import { Http2Visitors } from './http2-visitors';
import { rotateTicketKeys, TICKET_LIFETIME_S } from './session-tickets';

const HANDSHAKE_LIMIT_MS = 10_000;
/** How long a connection may stay silent while the server closes. Its first bytes may be on their way. */
const SILENCE_LIMIT_MS = 2_000;

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
  /** Connections that have not sent the beginning of a handshake. */
  readonly #silent = new Set<Socket>();
  #visitors: Http2Visitors | undefined;

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

  /** Creates an HTTP server that takes connections over TLS. The close of the termination closes those by HTTP/2. */
  createServer(options: ServerOptions, handle: RequestListener): Server {
    const server = createServer(options, handle);
    this.#visitors = new Http2Visitors(server);
    this.#terminate(server, this.#visitors);
    return server;
  }

  /** From now on, visitors by HTTP/2 are asked for new connections. */
  beginDraining(): void {
    this.#visitors?.beginDraining();
  }

  /**
   * Closes connections that wait for a handshake or a request. Call it when the server closes.
   * @returns a function that closes the remaining connections.
   */
  close(): () => void {
    const closeSessions = this.#visitors?.close();
    const timer = setTimeout(() => this.#closeSilent(), SILENCE_LIMIT_MS);
    return () => {
      clearTimeout(timer);
      this.#closeSilent();
      closeSessions?.();
    };
  }

  #closeSilent(): void {
    for (const socket of this.#silent) socket.destroy();
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

  /** Takes over the connections of the server, and gives them back after the handshake. */
  #terminate(server: Server, visitors: Http2Visitors): void {
    const challenges = createChallengeServer(
      (name) => this.#options.directory.findKeyAuthorization({ type: 'tls-alpn-01', name }),
      (error) => this.#report(error),
      HANDSHAKE_LIMIT_MS,
    );
    const handshakes = this.#createHandshakeServer((socket) => {
      if (socket.alpnProtocol === 'h2') visitors.accept(socket);
      else server.emit('secureConnection', socket);
    });
    server.removeAllListeners('connection').on('connection', (socket: Socket) => {
      this.#silent.add(socket);
      socket.once('close', () => this.#silent.delete(socket));
      peekClientHello(socket, HANDSHAKE_LIMIT_MS, (intent) => {
        this.#silent.delete(socket);
        if (intent === 'challenge') challenges.emit('connection', socket);
        else if (intent === 'visit') handshakes.emit('connection', socket);
        else socket.destroy();
      });
    });
  }

  #createHandshakeServer(onSecure: (socket: TLSSocket) => void) {
    const handshakes = createTlsServer(
      {
        minVersion: 'TLSv1.2',
        ciphers: CIPHERS,
        honorCipherOrder: true,
        handshakeTimeout: HANDSHAKE_LIMIT_MS,
        sessionTimeout: TICKET_LIFETIME_S,
        ALPNProtocols: ['h2', 'http/1.1'],
        SNICallback: (servername, done) => this.#select(servername, done),
      },
      onSecure,
    );
    handshakes.on('tlsClientError', (_, socket) => socket.destroy());
    rotateTicketKeys(handshakes, this.#options.ticketSecret);
    return handshakes;
  }
}

/**
 * Node frees a context when it collects garbage, which it rarely does, because it counts 1 KiB of the 36 KiB of a context.
 * An edge with many domains would keep 24,000 of them.
 */
function freeContext({ context }: SecureContext): void {
  (context as { close(): void }).close();
}
