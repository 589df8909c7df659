import { type ArgumentsHost, Catch } from '@nestjs/common';
import { ProblemFilter } from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignInHandler } from './sign-in-handler';

/**
 * Answers sign-in failures with a redirect to the sign-in page for navigations, and with a problem document otherwise.
 */
@Catch()
export class SignInFailureFilter extends ProblemFilter {
  constructor(private readonly pages: SignInHandler) {
    super();
  }

  override catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    if (isNavigation(request)) void this.pages.fail(thrown, request, host.switchToHttp().getResponse<FastifyReply>());
    else super.catch(thrown, host);
  }
}

function isNavigation({ method, headers }: FastifyRequest): boolean {
  const wantsPage = headers['sec-fetch-mode'] === 'navigate' || (headers.accept ?? '').includes('text/html');
  return method === 'GET' && wantsPage;
}
