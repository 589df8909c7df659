import type { Duplex } from 'node:stream';

const RECORD_HEADER_BYTES = 5;
const HANDSHAKE_RECORD = 22;
const MAX_RECORD_BYTES = RECORD_HEADER_BYTES + 16_384;
/** The protocol of TLS-ALPN-01, with its length in front, as clients offer it (RFC 8737). */
const CHALLENGE_PROTOCOL = Buffer.from('\x0aacme-tls/1');

export type ClientIntent = 'visit' | 'challenge' | 'invalid';

/**
 * Waits for the first TLS record of a connection and leaves its bytes in the socket. Node chooses the certificate before
 * it tells which protocols a client offers, and a challenge needs another certificate.
 * @param onIntent called once, unless the connection ends or is silent for too long.
 * @param limitMs for the whole record.
 */
export function peekClientHello(socket: Duplex, limitMs: number, onIntent: (intent: ClientIntent) => void): void {
  let received: Buffer = Buffer.alloc(0);
  const end = () => socket.destroy();
  const timer = setTimeout(end, limitMs);
  const onReadable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const intent = intentOf(received);
    if (!intent) return;
    stop();
    socket.unshift(received);
    onIntent(intent);
  };
  const stop = () => {
    clearTimeout(timer);
    socket.off('readable', onReadable).off('error', end).off('end', end).off('close', stop);
  };
  socket.on('readable', onReadable).on('error', end).on('end', end).on('close', stop);
}

/** @returns undefined while bytes are missing. */
function intentOf(received: Buffer): ClientIntent | undefined {
  if (received[0] !== HANDSHAKE_RECORD) return 'invalid';
  if (received.length < RECORD_HEADER_BYTES) return undefined;
  const length = RECORD_HEADER_BYTES + received.readUInt16BE(3);
  if (length > MAX_RECORD_BYTES) return 'invalid';
  if (received.length < length) return undefined;
  return received.subarray(0, length).includes(CHALLENGE_PROTOCOL) ? 'challenge' : 'visit';
}
