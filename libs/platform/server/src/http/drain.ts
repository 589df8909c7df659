import type { FastifyInstance } from 'fastify';

/**
 * Lets a server stop without cutting anybody off: from `begin()` on every answer closes its connection, so that
 * keep-alive clients leave by themselves instead of holding `close()` up for the whole keep-alive time.
 */
export class Drain {
  #draining = false;

  constructor(fastify: FastifyInstance) {
    fastify.addHook('onSend', async (_request, reply) => {
      if (this.#draining) reply.header('connection', 'close');
    });
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  begin(): void {
    this.#draining = true;
  }
}
