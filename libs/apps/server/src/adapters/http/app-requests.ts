import type { App, AppType } from '@homeport/apps/contracts';
import { InvalidRequest } from '@homeport/platform/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ListRequest } from '../../application/registry/app-catalog';
import type { RegisterAppRequest } from '../../application/registry/register-app';
import type { RegistrationResponse } from '../../application/registry/register-app-once';
import type { RegisterAppBody } from './apps.dto';

/** The maximum number of entries on one page of a list. */
export const MAX_PAGE_SIZE = 1_000;

/** The body class has validated that the type is one of `AppType`, in any case. */
export function toRegisterAppRequest(
  { name, type = 'static' }: RegisterAppBody,
  { headers }: FastifyRequest,
): RegisterAppRequest {
  const key = headers['idempotency-key'];
  return {
    name,
    type: type.toLowerCase() as AppType,
    ...(key !== undefined && { idempotencyKey: String(key) }),
  };
}

/** @throws {InvalidRequest} */
export function parseListRequest({ limit, cursor }: Readonly<Record<string, string>>): ListRequest {
  return {
    ...(limit !== undefined && { limit: parseLimit(limit) }),
    ...(cursor !== undefined && { cursor }),
  };
}

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_PAGE_SIZE) return limit;
  throw new InvalidRequest('The limit is invalid.', [
    { field: 'limit', reason: `It must be a whole number from 1 to ${MAX_PAGE_SIZE}.` },
  ]);
}

/** Sends the response to a registration, which may be a replayed one. */
export function sendRegistrationResponse(
  { status, body, isReplayed }: RegistrationResponse,
  reply: FastifyReply,
): void {
  if (status === 201) void reply.header('location', `/api/apps/${(body as App).id}`);
  else void reply.type('application/problem+json; charset=utf-8').header('cache-control', 'no-store');
  if (isReplayed) void reply.header('idempotency-replayed', 'true');
  void reply.status(status).send(body);
}
