import { interactionPolicy, Provider } from 'oidc-provider';
import type { Grant, KoaContextWithOIDC } from 'oidc-provider';
import { commonConfiguration, DAY, INTERACTION_SECONDS, UNUSED_FEATURES } from './issuer-settings.ts';
import type { IssuerSettings } from './issuer-settings.ts';
import { peopleOf } from './people.ts';
import type { IdentityProvider } from './people.ts';

export const BROKER_CLIENT_ID = 'broker';

export interface UpstreamSettings extends IssuerSettings {
  readonly identityProvider: IdentityProvider;
  readonly clientSecret: string;
  /** The broker's URL for the response. */
  readonly redirectUri: string;
}

/** Creates one upstream identity provider, which only tells the broker the person's id. */
export function createUpstream(issuer: string, settings: UpstreamSettings): Provider {
  const people = peopleOf(settings.identityProvider.id);
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);

  return new Provider(issuer, {
    ...commonConfiguration(settings),
    clients: [
      {
        client_id: BROKER_CLIENT_ID,
        client_secret: settings.clientSecret,
        redirect_uris: [settings.redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    scopes: ['openid'],
    interactions: { url: (_ctx, { uid }) => `${new URL(issuer).pathname}/accounts/${uid}`, policy },
    findAccount: (_ctx, id) =>
      people.some((person) => person.id === id) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    loadExistingGrant,
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: INTERACTION_SECONDS,
      Session: DAY,
      Grant: DAY,
    },
    features: UNUSED_FEATURES,
  });
}

/** Grants without a consent screen: the only client is the broker. */
async function loadExistingGrant(ctx: KoaContextWithOIDC): Promise<Grant> {
  const { client, session, account, provider } = ctx.oidc;
  if (!client || !session || !account) throw new Error('a grant is loaded for a client and a signed-in person');
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  grant.addOIDCScope('openid');
  await grant.save();
  return grant;
}
