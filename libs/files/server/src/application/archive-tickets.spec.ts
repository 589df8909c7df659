import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ArchiveLinkExpired, ArchiveLinkTooLong } from '../domain/files.errors';
import { workspaceRoot } from '../domain/workspace-key';
import { ArchiveTickets, type TicketSealer } from './archive-tickets';

const root = workspaceRoot({ issuer: 'https://issuer.example', subject: 'ada' });

/** Not secret, but rejects what it did not seal, as `SealedBox` does. */
const sealer: TicketSealer = {
  seal: (plain, purpose) => `${tagOf(plain, purpose)}.${Buffer.from(plain).toString('base64url')}`,
  openBytes: (sealed, purpose) => {
    const [tag, body = ''] = sealed.split('.');
    const plain = Buffer.from(body, 'base64url');
    return tag === tagOf(plain, purpose) ? plain : undefined;
  },
};

function tagOf(plain: Uint8Array, purpose: string): string {
  return createHash('sha256').update(purpose).update(plain).digest('base64url');
}

describe('ArchiveTickets', () => {
  let now: number;
  let tickets: ArchiveTickets;

  beforeEach(() => {
    now = Date.UTC(2026, 2, 1);
    tickets = new ArchiveTickets(sealer, () => now);
  });

  it('opens a ticket for five minutes', () => {
    const { ticket, expiresAt } = tickets.create(root, ['a/', 'b.md']);
    expect(expiresAt).toEqual(new Date('2026-03-01T00:05:00.000Z'));
    now += 299_999;
    expect(tickets.open(ticket)).toEqual({ root, paths: ['a/', 'b.md'], expiresAt: expiresAt.getTime() });
    now += 1;
    expect(() => tickets.open(ticket)).toThrow(ArchiveLinkExpired);
  });

  it.each(['', 'a.b', '..', 'null'])('rejects %j', (ticket) => {
    expect(() => tickets.open(ticket)).toThrow(ArchiveLinkExpired);
  });

  it('rejects text that was sealed for another purpose', () => {
    expect(() => tickets.open(sealer.seal(Buffer.from('{}'), 'other'))).toThrow(ArchiveLinkExpired);
  });

  it('keeps 200 similar paths short, and rejects paths that are too long for a URL', () => {
    const paths = Array.from({ length: 200 }, (_, at) => `reports/2026/quarter ${at}.md`);
    expect(tickets.create(root, paths).ticket.length).toBeLessThan(2_000);
    const random = paths.map((path) => `${createHash('sha512').update(path).digest('base64url')}.md`);
    expect(() => tickets.create(root, random)).toThrow(ArchiveLinkTooLong);
  });
});
