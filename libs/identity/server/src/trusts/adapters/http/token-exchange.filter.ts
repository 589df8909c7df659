import { type ArgumentsHost, Catch } from '@nestjs/common';
import { DomainError } from '@homeport/kernel';
import { ProblemFilter } from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExchangeRefused } from '../../domain/token-exchange.errors';

/** Kinds of errors in the request itself, which clients of OAuth expect as `invalid_request`. */
const REQUEST_ERRORS = ['invalid', 'unsupported-media-type', 'too-large'];

/** Sends refused token exchanges in the form of RFC 6749, section 5.2, and all other errors as Problem Details. */
@Catch()
export class TokenExchangeFilter extends ProblemFilter {
  override catch(thrown: unknown, host: ArgumentsHost): void {
    const refusal = refusalOf(thrown);
    if (!refusal) return super.catch(thrown, host);
    const http = host.switchToHttp();
    http.getRequest<FastifyRequest>().log.info({ reason: refusal.reason }, 'token exchange refused');
    void http
      .getResponse<FastifyReply>()
      .status(400)
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send({ error: refusal.code, error_description: refusal.description });
  }
}

function refusalOf(thrown: unknown): ExchangeRefused | undefined {
  if (thrown instanceof ExchangeRefused) return thrown;
  const isRequestError = thrown instanceof DomainError && REQUEST_ERRORS.includes(thrown.kind);
  return isRequestError ? new ExchangeRefused('invalid_request', thrown.message) : undefined;
}
