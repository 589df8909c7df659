import { errors } from 'oidc-provider';
import type { Interaction, Provider } from 'oidc-provider';
import { readForm, redirect, sendPage } from './exchange.ts';
import type { Exchange, Route } from './exchange.ts';
import { cancelSignIn, currentInteraction, finishSignIn } from './interactions.ts';
import { chooserPage } from './pages.ts';
import { findIdentityProvider, findPerson, IDENTITY_PROVIDERS, subjectOf } from './people.ts';
import type { IdentityProviderId } from './people.ts';
import { upstreamAttempt } from './upstream-client.ts';
import type { UpstreamClient } from './upstream-client.ts';

export const ANSWER_PATH = '/answer';

/** The broker's pages: choice of an identity provider, and return from it. */
export function signInRoutes(broker: Provider, upstreams: ReadonlyMap<IdentityProviderId, UpstreamClient>): Route[] {
  const pages = new SignInPages(broker, upstreams);
  return [
    { method: 'GET', path: /^\/sign-in\/(?<uid>[\w-]+)$/, handle: (exchange) => pages.show(exchange) },
    { method: 'POST', path: /^\/sign-in\/(?<uid>[\w-]+)$/, handle: (exchange) => pages.choose(exchange) },
    { method: 'GET', path: /^\/sign-in\/(?<uid>[\w-]+)\/answer$/, handle: (exchange) => pages.finish(exchange) },
    { method: 'GET', path: /^\/answer\/[\w-]+$/, handle: forwardAnswer },
  ];
}

/**
 * Forwards a provider's response to the sign-in named by `state`. Upstream providers redirect to one registered URL,
 * but the cookie of a sign-in is sent only to the URLs of that sign-in.
 */
async function forwardAnswer({ response, query }: Exchange): Promise<void> {
  const state = query.get('state');
  if (!state) throw new errors.InvalidRequest('the answer names no sign-in');
  redirect(response, `/sign-in/${encodeURIComponent(state)}${ANSWER_PATH}?${query}`);
}

class SignInPages {
  readonly #broker: Provider;
  readonly #upstreams: ReadonlyMap<IdentityProviderId, UpstreamClient>;

  constructor(broker: Provider, upstreams: ReadonlyMap<IdentityProviderId, UpstreamClient>) {
    this.#broker = broker;
    this.#upstreams = upstreams;
  }

  async show(exchange: Exchange): Promise<void> {
    const interaction = await currentInteraction(this.#broker, exchange);
    const { accountId } = interaction.session ?? {};
    if (interaction.prompt.name === 'consent' && accountId) return finishSignIn(this.#broker, exchange, accountId);
    const requested = requestedProvider(interaction);
    if (requested) return this.#redirectToProvider(requested.id, interaction, exchange);
    sendPage(exchange.response, 200, chooserPage(IDENTITY_PROVIDERS));
  }

  async choose(exchange: Exchange): Promise<void> {
    const interaction = await currentInteraction(this.#broker, exchange);
    const form = await readForm(exchange.request);
    if (form.has('cancel')) return cancelSignIn(this.#broker, exchange);
    const chosen = findIdentityProvider(form.get('provider'));
    if (!chosen) throw new errors.InvalidRequest('no identity provider was chosen');
    return this.#redirectToProvider(chosen.id, interaction, exchange);
  }

  async finish(exchange: Exchange): Promise<void> {
    const interaction = await currentInteraction(this.#broker, exchange);
    const leg = upstreamAttempt.safeParse(interaction.result?.['upstream']).data;
    const provider = findIdentityProvider(leg?.provider);
    if (!leg || !provider) throw new errors.SessionNotFound('no response is expected');
    if (exchange.query.get('error') === 'access_denied') return this.#goBack(interaction, exchange);

    const id = await this.#upstream(provider.id).finish(exchange.query, interaction.uid, leg);
    const person = findPerson(subjectOf(provider.id, id));
    if (!person) throw new Error(`${provider.id} authenticated an unknown person: ${id}`);
    await finishSignIn(this.#broker, exchange, person.sub);
  }

  /** Redirects to the provider. The attempt is stored with the interaction, so that it survives a restart. */
  async #redirectToProvider(provider: IdentityProviderId, interaction: Interaction, exchange: Exchange): Promise<void> {
    const { location, leg } = await this.#upstream(provider).begin(interaction.uid);
    await this.#broker.interactionResult(
      exchange.request,
      exchange.response,
      { upstream: leg },
      { mergeWithLastSubmission: false },
    );
    redirect(exchange.response, location.href);
  }

  /** Returns to the chooser, or to the client if it has chosen the provider. */
  async #goBack(interaction: Interaction, exchange: Exchange): Promise<void> {
    if (requestedProvider(interaction)) return cancelSignIn(this.#broker, exchange);
    redirect(exchange.response, `/sign-in/${interaction.uid}`);
  }

  #upstream(provider: IdentityProviderId): UpstreamClient {
    const upstream = this.#upstreams.get(provider);
    if (!upstream) throw new Error(`identity provider ${provider} is not running`);
    return upstream;
  }
}

/**
 * Returns the provider that the client requested by `identity_provider`;
 * undefined for an unknown one, so the person chooses.
 */
function requestedProvider(interaction: Interaction) {
  return findIdentityProvider(interaction.params['identity_provider']);
}
