import type { App, AppType } from '@homeport/apps/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RegisterAppRequest } from '../../application/register-app';
import type { RegistrationResponse } from '../../application/register-app-once';
import type { RegisterAppBody } from './apps.dto';

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
