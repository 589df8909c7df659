import type { IncomingMessage } from 'node:http';
import { type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { type CallerResolver, createCallerResolver, DomainError, RateLimit } from '@homeport/platform/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrganizationRequired, TokenInvalid, Unauthenticated } from '../../domain/identity.errors';
import { isMember, type Principal } from '../../domain/principal';
import type { RoutePolicies, RoutePolicy } from '../../domain/route-policy';

/** Tells the browser sessions of requests apart without a query, so that requests are counted before they cost one. */
export interface SessionHandleReader {
  /** A name of the session whose authentic cookie a request carries; the session may have ended. */
  sessionHandleIn(request: FastifyRequest): string | undefined;
}

export interface AccessOptions {
  /** A route without one is closed to everybody. */
  readonly policies: RoutePolicies;
  /** Requests a minute of one verified person, and of one browser session; 0 for no limit. */
  readonly perUser: number;
  /** Requests a minute from one address, those without a valid token and the public ones each; 0 for no limit. */
  readonly perAddress: number;
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
}

/**
 * Decides over every request by the policy of its route. Only requests of nobody we know count against their address,
 * and those with a refused token apart from the public ones: somebody who sends forged tokens must not lock the people
 * who share the address out of the API, of their session, or of signing in and out.
 */
export class AccessGuard extends AuthGuard('bearer') {
  readonly #policies: ReadonlyMap<string, RoutePolicy>;
  readonly #callerOf: CallerResolver;
  readonly #users: RateLimit;
  readonly #addresses: RateLimit;
  readonly #refusals: RateLimit;

  constructor(
    { policies, perUser, perAddress, trustedProxies }: AccessOptions,
    private readonly sessions: SessionHandleReader,
  ) {
    super();
    this.#policies = new Map(Object.entries(policies));
    this.#callerOf = createCallerResolver(trustedProxies);
    this.#users = new RateLimit('user', perUser);
    this.#addresses = new RateLimit('address', perAddress);
    this.#refusals = new RateLimit('refused', perAddress);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: Principal }>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const policy = this.#policyOf(request);
    if (policy === 'probe' || policy === 'sign-out') return true;
    if (policy === 'public' || policy === 'browser') {
      const session = policy === 'browser' ? this.sessions.sessionHandleIn(request) : undefined;
      if (session === undefined) await count(this.#addresses, () => this.#callerOf(request.raw), reply);
      else await count(this.#users, () => `session\n${session}`, reply);
      return true;
    }
    try {
      await super.canActivate(context);
    } catch (error) {
      if (isRefusal(error)) await count(this.#refusals, () => this.#callerOf(request.raw), reply);
      throw error;
    }
    const { user } = request;
    await count(this.#users, () => `${user.issuer}\n${user.subject}`, reply);
    if (policy === 'member' && !isMember(user)) throw new OrganizationRequired();
    return true;
  }

  /**
   * Decides over a request that the framework does not get to see.
   * @returns the headers that belong into its answer, names and values in turns; at once nothing without a limit.
   * @throws {RateLimited} @throws {Error} for a route that is not public.
   */
  admit(route: string, request: IncomingMessage): Promise<readonly string[]> | undefined {
    if (this.#policies.get(route) !== 'public') throw new Error(`${route} is not public`);
    return this.#addresses.take(() => this.#callerOf(request))?.then((headers) => Object.entries(headers).flat());
  }

  #policyOf(request: FastifyRequest): RoutePolicy {
    // HEAD is answered by the route of GET.
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${request.routeOptions.url}`;
    const policy = this.#policies.get(route);
    if (!policy) throw new Error(`${route} has no policy`);
    return policy;
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

/** @throws {RateLimited} */
async function count(limit: RateLimit, caller: () => string, reply: FastifyReply): Promise<void> {
  const headers = await limit.take(caller);
  if (headers) void reply.headers(headers);
}

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unauthenticated';
}
