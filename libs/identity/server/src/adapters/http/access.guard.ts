import { hash } from 'node:crypto';
import { type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { type CallerResolver, createCallerResolver, RateLimit } from '@homeport/platform/server/limits';
import { DomainError } from '@homeport/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrganizationRequired, TokenInvalid, Unauthenticated } from '../../domain/identity.errors';
import { isMember, type Actor } from '@homeport/identity/contracts';
import { type Caller, callerOf, isCreation, type RoutePolicies, type RoutePolicy } from '../../domain/route-policy';
import type { AuthenticateToken } from '../../tokens/application/authenticate-token';
import { TokenAccess } from '../../tokens/adapters/http/token-access';
import { isTokenSecret } from '../../tokens/domain/token-secret';
import { bearerIn } from './bearer-header';

/** The browser sessions whose cookies requests carry. */
export interface BrowserSessions {
  /**
   * Identifies a session without a query, so that rate limits apply before a query runs.
   * @returns the handle of the session in the request's authentic cookie; the session may have ended.
   */
  sessionHandleIn(request: FastifyRequest): string | undefined;

  /** Records that the session of the request's authentic cookie is in use. Does not wait and never fails. */
  recordUse(request: FastifyRequest): void;
}

/** The dependencies for tokens that Homeport issues. */
export interface TokenAuthentication {
  readonly authenticate: AuthenticateToken;
  readonly access: TokenAccess;
}

type ActorRequest = FastifyRequest & { user: Actor };

export interface AccessOptions {
  /** Policy per route; a route without a policy is closed. */
  readonly policies: RoutePolicies;
  /** Requests per minute per verified person, per token and per browser session; 0 disables the limit. */
  readonly perUser: number;
  /** Requests per minute per address, counted separately for refused tokens and public routes; 0 disables the limit. */
  readonly perAddress: number;
  /** Limits what an organization, or a person without one, creates at all instances. Absent: no limit. */
  readonly creations?: Pick<RateLimit, 'take'>;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Called at every authorized call of a member. */
  readonly onMemberCall?: ((organization: string) => void) | undefined;
}

/**
 * Authorizes every request by the policy of its route and applies the rate limits. Refused tokens and public requests
 * count against separate limits of the address: forged tokens must not lock other people at the same address out of the
 * API, their session, sign-in or sign-out.
 */
export class AccessGuard extends AuthGuard('bearer') {
  readonly #policies: ReadonlyMap<string, RoutePolicy>;
  readonly #callerOf: CallerResolver;
  readonly #users: RateLimit;
  readonly #addresses: RateLimit;
  readonly #refusals: RateLimit;
  readonly #creations: AccessOptions['creations'];
  readonly #onMemberCall: AccessOptions['onMemberCall'];

  constructor(
    { policies, perUser, perAddress, creations, trustedProxies, onMemberCall }: AccessOptions,
    private readonly sessions: BrowserSessions,
    private readonly tokens: TokenAuthentication,
  ) {
    super();
    this.#policies = new Map(Object.entries(policies));
    this.#callerOf = createCallerResolver(trustedProxies);
    this.#users = new RateLimit('user', perUser);
    this.#addresses = new RateLimit('address', perAddress);
    this.#refusals = new RateLimit('refused', perAddress);
    this.#creations = creations;
    this.#onMemberCall = onMemberCall;
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ActorRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const policy = this.#policyOf(request);
    const caller = callerOf(policy);
    if (caller === 'probe' || caller === 'sign-out') return true;
    if (caller === 'public' || caller === 'browser') {
      await this.#countAnonymous(caller, request, reply);
      return true;
    }
    try {
      await this.#authenticate(context, request);
    } catch (error) {
      if (isRefusal(error)) await count(this.#refusals, () => this.#callerOf(request.raw), reply);
      throw error;
    }
    const { user } = request;
    await count(this.#users, () => rateLimitKeyOf(user), reply);
    if (user.grant === undefined) this.sessions.recordUse(request);
    await this.tokens.access.authorize(user, policy, request);
    if (isMember(user)) this.#onMemberCall?.(user.organization);
    else if (caller === 'member') throw new OrganizationRequired();
    // Without its headers: those of the response state the limit that every call counts against.
    if (isCreation(routeOf(request))) await this.#creations?.take(() => ownerOf(user));
    return true;
  }

  async #countAnonymous(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const session = caller === 'browser' ? this.sessions.sessionHandleIn(request) : undefined;
    if (session === undefined) await count(this.#addresses, () => this.#callerOf(request.raw), reply);
    else await count(this.#users, () => `session\n${session}`, reply);
  }

  async #authenticate(context: ExecutionContext, request: ActorRequest): Promise<void> {
    const bearer = bearerIn(request);
    if (bearer === null || !isTokenSecret(bearer)) {
      await super.canActivate(context);
      return;
    }
    try {
      request.user = await this.tokens.authenticate.execute(bearer);
    } catch (error) {
      logRefusal(error, request);
      throw error;
    }
  }

  #policyOf(request: FastifyRequest): RoutePolicy {
    const route = routeOf(request);
    const policy = this.#policies.get(route);
    if (!policy) throw new Error(`${route} has no policy`);
    return policy;
  }

  /** Maps Passport's failures to domain errors. */
  override handleRequest<T>(error: unknown, actor: T | false, info: unknown, context: ExecutionContext): T {
    if (actor) return actor;
    const failure = error ?? info;
    if (failure instanceof DomainError) {
      logRefusal(failure, context.switchToHttp().getRequest<FastifyRequest>());
      throw failure;
    }
    if (error) throw error;
    const hasHeader = context.switchToHttp().getRequest<FastifyRequest>().headers.authorization !== undefined;
    throw hasHeader ? new TokenInvalid('the signature or the header is wrong') : new Unauthenticated();
  }
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  // Fastify answers HEAD with the GET route.
  return `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`;
}

/** Hashed, because the key of a counter has a limited length. */
function ownerOf(user: Actor): string {
  return hash('sha256', isMember(user) ? user.organization : `${user.issuer}\n${user.subject}`, 'base64url');
}

/** @throws {RateLimited} */
async function count(limit: RateLimit, caller: () => string, reply: FastifyReply): Promise<void> {
  const headers = await limit.take(caller);
  if (headers) void reply.headers(headers);
}

/** Requests with a token count separately, so that a pipeline does not use up the limit of its person. */
function rateLimitKeyOf({ issuer, subject, grant }: Actor): string {
  return grant === undefined ? `${issuer}\n${subject}` : `token\n${grant.id}`;
}

function logRefusal(error: unknown, { log }: FastifyRequest): void {
  if (error instanceof DomainError) log.debug({ code: error.code, reason: error.cause }, 'token refused');
}

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unauthenticated';
}
