import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ArchiveLinkExpired, ArchiveLinkTooLong } from '../domain/files.errors';
import type { WorkspaceRoot } from '../domain/workspace-key';

/** Encrypts and authenticates tickets; `SealedBox` of identity does. */
export interface TicketSealer {
  /** @returns URL-safe text. */
  seal(plain: Uint8Array, purpose: string): string;
  /** @returns undefined unless the text was sealed for this purpose and not altered. */
  openBytes(sealed: string, purpose: string): Buffer | undefined;
}

/** The permission to download some paths of one workspace. */
export interface ArchiveTicket {
  readonly root: WorkspaceRoot;
  readonly paths: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const PURPOSE = 'file archive';
const TICKET_LIFETIME_MS = 5 * 60_000;
/** Proxies accept a request line of 8 KiB; `GET /v1/archives/` and `HTTP/1.1` need a part of it. */
const MAX_TICKET_LENGTH = 8_100;
/** 200 paths of 1,024 bytes, with room for JSON. */
const MAX_PLAIN_BYTES = 512 * 1024;

/** Creates tickets without storing anything: a ticket is the encrypted selection, so every instance can open it. */
export class ArchiveTickets {
  constructor(
    private readonly sealer: TicketSealer,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws {ArchiveLinkTooLong} */
  create(root: WorkspaceRoot, paths: readonly string[]): { readonly ticket: string; readonly expiresAt: Date } {
    const expiresAt = this.now() + TICKET_LIFETIME_MS;
    const plain = JSON.stringify({ root, paths, expiresAt } satisfies ArchiveTicket);
    const ticket = this.sealer.seal(deflateRawSync(plain, { level: 9 }), PURPOSE);
    if (ticket.length > MAX_TICKET_LENGTH) throw new ArchiveLinkTooLong();
    return { ticket, expiresAt: new Date(expiresAt) };
  }

  /** @throws {ArchiveLinkExpired} also when the ticket was altered or was not created here. */
  open(ticket: string): ArchiveTicket {
    const compressed = this.sealer.openBytes(ticket, PURPOSE);
    if (!compressed) throw new ArchiveLinkExpired();
    const plain = inflateRawSync(compressed, { maxOutputLength: MAX_PLAIN_BYTES });
    // Only this class seals for the purpose, so the text has this form.
    const opened = JSON.parse(plain.toString('utf8')) as ArchiveTicket;
    if (opened.expiresAt <= this.now()) throw new ArchiveLinkExpired();
    return opened;
  }
}
