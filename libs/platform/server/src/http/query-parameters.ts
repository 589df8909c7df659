import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { rawQueryOf, parseStrictQuery } from '@homeport/kernel';

const QUERY_PARAMETERS = 'homeport:query-parameters';
/** The OpenAPI extension of operations that ignore unknown query parameters. */
export const IGNORES_UNKNOWN_QUERY = 'x-ignores-unknown-query-parameters';
const EMPTY_QUERY_PARAMETERS = 'homeport:empty-query-parameters';

/** Declares the query parameters of a route. A route without the decorator accepts no query parameters. */
export function QueryParameters(...names: readonly string[]): MethodDecorator {
  return SetMetadata(QUERY_PARAMETERS, names);
}

/** Declares which query parameters may be empty. An empty one counts as omitted. */
export function AllowEmptyQueryParameters(...names: readonly string[]): MethodDecorator {
  return SetMetadata(EMPTY_QUERY_PARAMETERS, names);
}

/** Makes a route ignore its query, because shared caches and other intermediaries add parameters. */
export function AllowAnyQuery(): MethodDecorator {
  return applyDecorators(SetMetadata(QUERY_PARAMETERS, 'any'), ApiExtension(IGNORES_UNKNOWN_QUERY, true));
}

/**
 * Parses the query of every route strictly into `request.query`. It is a guard, registered after the authentication
 * guards, because an interceptor would send every request through an observable.
 */
@Injectable()
export class StrictQueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws {InvalidRequest} */
  canActivate(context: ExecutionContext): true {
    const names = this.reflector.get<readonly string[] | 'any' | undefined>(QUERY_PARAMETERS, context.getHandler());
    const mayBeEmpty = this.reflector.get<readonly string[] | undefined>(EMPTY_QUERY_PARAMETERS, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (names !== 'any') request.query = parseStrictQuery(rawQueryOf(request.originalUrl), names ?? [], mayBeEmpty);
    return true;
  }
}
