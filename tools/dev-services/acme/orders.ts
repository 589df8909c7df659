import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { BadSigningRequest, type DevelopmentAuthority } from './authority.ts';
import { AcmeProblem } from './problem.ts';

const MAX_NAMES = 100;
const name = z.string().regex(/^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}$/);
const newOrder = z.object({
  identifiers: z
    .array(z.object({ type: z.literal('dns'), value: name }))
    .min(1)
    .max(MAX_NAMES),
});
const finalization = z.object({ csr: z.base64url() });

export interface Order {
  readonly id: string;
  /** The URL of the account. */
  readonly account: string;
  readonly names: readonly string[];
  /** In PEM; undefined until it is issued. */
  chain: string | undefined;
}

/** The orders since the start. Every name counts as proved: the authority is for this machine alone. */
export class Orders {
  readonly #orders = new Map<string, Order>();

  readonly #authority: Pick<DevelopmentAuthority, 'sign'>;

  constructor(authority: Pick<DevelopmentAuthority, 'sign'>) {
    this.#authority = authority;
  }

  /** @throws {AcmeProblem} */
  add(account: string, payload: unknown): Order {
    const parsed = newOrder.safeParse(payload);
    if (!parsed.success) throw new AcmeProblem('malformed', 'The order needs 1 to 100 names of the type dns.');
    const names = [...new Set(parsed.data.identifiers.map(({ value }) => value))];
    const order: Order = { id: randomUUID(), account, names, chain: undefined };
    this.#orders.set(order.id, order);
    return order;
  }

  /** @throws {AcmeProblem} for an order of another account too. */
  find(account: string, id: string): Order {
    const order = this.#orders.get(id);
    if (order?.account !== account) throw new AcmeProblem('malformed', 'The order is not known.', 404);
    return order;
  }

  /** @throws {AcmeProblem} */
  async finalize(order: Order, payload: unknown): Promise<void> {
    const parsed = finalization.safeParse(payload);
    if (!parsed.success) throw new AcmeProblem('malformed', 'A signing request in base64url is missing.');
    if (order.chain !== undefined) throw new AcmeProblem('orderNotReady', 'The certificate is issued.', 403);
    try {
      order.chain = await this.#authority.sign(Buffer.from(parsed.data.csr, 'base64url'), order.names);
    } catch (error) {
      throw error instanceof BadSigningRequest ? new AcmeProblem('badCSR', error.message) : error;
    }
  }
}
