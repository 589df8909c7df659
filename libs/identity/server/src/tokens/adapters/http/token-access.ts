import type { Actor, TokenGrant } from '@homeport/identity/contracts';
import type { FastifyRequest } from 'fastify';
import type { AppDirectory } from '../../../application/app-directory.port';
import { type RoutePolicy, scopesOf } from '../../../domain/route-policy';
import { AppTokenRefused, ScopeRequired } from '../../domain/tokens.errors';

/** No resource has this id. */
const NO_RESOURCE = '00000000-0000-0000-0000-000000000000';

type RequestWithId = FastifyRequest & { readonly params: { id: string } };

/** Decides what a token that Homeport issued may call. */
export class TokenAccess {
  constructor(private readonly apps: AppDirectory) {}

  /**
   * Checks the scopes, and hides resources of other apps from a token that is bound to one app: the route looks for an
   * id that no resource has, so its answer is the one for an absent resource, in every detail.
   * @throws {ScopeRequired} @throws {AppTokenRefused} @throws {DatabaseUnavailable}
   */
  async authorize(actor: Actor, policy: RoutePolicy, request: FastifyRequest): Promise<void> {
    const { grant, organization } = actor;
    if (!grant) return;
    const scopes = scopesOf(policy);
    if (!scopes.some((each) => grant.scopes.includes(each))) throw new ScopeRequired(scopes);
    if (grant.appId === undefined || organization === undefined || typeof policy === 'string') return;
    const { binding } = policy;
    if (binding === undefined) throw new AppTokenRefused();
    if (binding === 'filtered') return;
    const { params } = request as RequestWithId;
    if (!(await this.#isReachable(params.id, binding, { ...grant, organization }))) params.id = NO_RESOURCE;
  }

  async #isReachable(
    id: string,
    binding: 'app' | 'deploy',
    { appId, organization }: Pick<TokenGrant, 'appId'> & { readonly organization: string },
  ): Promise<boolean> {
    const app = binding === 'app' ? id.toLowerCase() : await this.apps.appOfDeploy(organization, id);
    return app === appId;
  }
}
