import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { rawQueryOf, parseStrictQuery } from './request-target';

const QUERY_PARAMETERS = 'homeport:query-parameters';
/** Marks operations of the OpenAPI document that ignore query parameters they do not know. */
export const IGNORES_UNKNOWN_QUERY = 'x-ignores-unknown-query-parameters';
const EMPTY_QUERY_PARAMETERS = 'homeport:empty-query-parameters';

/** Names the query parameters of a route. A route that names none takes none. */
export function QueryParameters(...names: readonly string[]): MethodDecorator {
  return SetMetadata(QUERY_PARAMETERS, names);
}

/** Names the query parameters of a route that may be empty, which means the same as leaving them out. */
export function AllowEmptyQueryParameters(...names: readonly string[]): MethodDecorator {
  return SetMetadata(EMPTY_QUERY_PARAMETERS, names);
}

/** Lets a route take whatever query it gets, and look at none of it: shared caches and others add their own. */
export function AllowAnyQuery(): MethodDecorator {
  return applyDecorators(SetMetadata(QUERY_PARAMETERS, 'any'), ApiExtension(IGNORES_UNKNOWN_QUERY, true));
}

/**
 * Reads the query of every route strictly; handlers find it in `request.query`. A guard, registered behind those that
 * ask who is there: an interceptor would send every request through an observable.
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
