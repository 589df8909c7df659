import { hkdfSync } from 'node:crypto';
import type { Server } from 'node:tls';

/** How long a visitor may resume a session. */
export const TICKET_LIFETIME_S = 12 * 3_600;
const PERIOD_MS = TICKET_LIFETIME_S * 1_000;
/** As Node's `ticketKeys` needs them. */
const KEY_BYTES = 48;

/**
 * Derives the keys of session tickets for a period of twelve hours from a secret that all edges share, so that each edge
 * resumes the sessions of the others.
 * @param secret 32 bytes.
 */
export function ticketKeysAt(secret: Buffer, time: number): Buffer {
  const period = Math.floor(time / PERIOD_MS);
  return Buffer.from(hkdfSync('sha256', secret, '', `homeport tls session tickets\n${period}`, KEY_BYTES));
}

/** Replaces the keys of a server at the start of each period. Visitors with an older ticket start a new session. */
export function rotateTicketKeys(server: Server, secret: Buffer, now: () => number = Date.now): void {
  let timer: NodeJS.Timeout | undefined;
  const rotate = () => {
    server.setTicketKeys(ticketKeysAt(secret, now()));
    timer = setTimeout(rotate, PERIOD_MS - (now() % PERIOD_MS));
    timer.unref();
  };
  rotate();
  server.once('close', () => clearTimeout(timer));
}
