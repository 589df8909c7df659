import { connect } from 'node:net';
import { DnsFailure } from '../../../dns/application/dns-zone.port';
import { u16 } from '../../../dns/adapters/rfc2136/message';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

const DNS_PORT = 53;
/** Milliseconds until the next complete message; the first one includes the connection setup. */
const RESPONSE_TIMEOUT_MS = 3_500;

/** Parses `host`, `host:port`, `[IPv6]` or `[IPv6]:port`. Undefined for any other form. */
export function parseServerAddress(text: string): ServerAddress | undefined {
  const [, v6, name, digits] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = v6 ?? name;
  const port = digits === undefined ? DNS_PORT : Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

/**
 * Sends one message on a new connection (RFC 7766) and yields the responses until the server closes the connection or
 * the caller stops reading.
 * @throws {DnsFailure} `timeout` or `provider-unavailable`.
 */
export async function* exchangeOverTcp(
  { host, port }: ServerAddress,
  message: Buffer,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  if (signal.aborted) throw new DnsFailure('timeout', { cause: signal.reason });
  const socket = connect({ host, port, noDelay: true });
  let hasTimedOut = false;
  const abort = (): void => {
    hasTimedOut = true;
    socket.destroy(new Error('no response in time'));
  };
  const timer = setTimeout(abort, RESPONSE_TIMEOUT_MS);
  signal.addEventListener('abort', abort);
  try {
    socket.write(lengthPrefixed(message));
    let received = Buffer.alloc(0);
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      for (let next = firstOf(received); next; next = firstOf(received)) {
        received = received.subarray(2 + next.length);
        yield next;
        timer.refresh();
      }
    }
  } catch (cause) {
    throw new DnsFailure(hasTimedOut ? 'timeout' : 'provider-unavailable', { cause });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

function lengthPrefixed(message: Buffer): Buffer {
  return Buffer.concat([u16(message.length), message]);
}

/** Returns the first message when it is complete. */
function firstOf(received: Buffer): Buffer | undefined {
  if (received.length < 2) return undefined;
  const end = 2 + received.readUInt16BE(0);
  return received.length < end ? undefined : received.subarray(2, end);
}
