import { Server as TlsServer } from 'node:tls';
import type { Server } from 'node:http';

/** The event with the connections on which a server reads requests: over TLS, those after the handshake. */
export function connectionEventOf(server: Server): 'connection' | 'secureConnection' {
  return server instanceof TlsServer ? 'secureConnection' : 'connection';
}
