import { InvalidRequest } from '@homeport/kernel';
import type { FastifyRequest } from 'fastify';

/**
 * A repeated request could not get the same answer, because the secret is not stored.
 * @throws {InvalidRequest} for a request with `Idempotency-Key`.
 */
export function refuseIdempotencyKey({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] === undefined) return;
  const reason = 'The secret of a token is not stored, so the answer cannot be repeated.';
  throw new InvalidRequest('This call does not support Idempotency-Key.', [{ field: 'Idempotency-Key', reason }]);
}
