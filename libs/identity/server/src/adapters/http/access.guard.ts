import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { DomainError, IS_PUBLIC } from '@homeport/platform/server';
import type { FastifyRequest } from 'fastify';
import { TokenInvalid, Unauthenticated } from '../../domain/identity.errors';

/** Closes every route that is not marked `@Public()`: forgetting a decorator locks a route, it never opens one. */
@Injectable()
export class SignedInGuard extends AuthGuard('bearer') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(
    context: ExecutionContext,
  ): ReturnType<InstanceType<ReturnType<typeof AuthGuard>>['canActivate']> {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, targets) ? true : super.canActivate(context);
  }

  /** Turns passport's ways of saying no into ours. */
  override handleRequest<Principal>(
    error: unknown,
    principal: Principal | false,
    info: unknown,
    context: ExecutionContext,
  ): Principal {
    if (principal) return principal;
    const failure = error ?? info;
    if (failure instanceof DomainError) {
      const { log } = context.switchToHttp().getRequest<FastifyRequest>();
      log.debug({ code: failure.code, reason: failure.cause }, 'token refused');
      throw failure;
    }
    if (error) throw error;
    const hasHeader = context.switchToHttp().getRequest<FastifyRequest>().headers.authorization !== undefined;
    throw hasHeader ? new TokenInvalid('the signature or the header is wrong') : new Unauthenticated();
  }
}
