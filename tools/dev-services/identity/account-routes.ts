import { errors } from 'oidc-provider';
import type { Provider } from 'oidc-provider';
import { readForm, sendPage } from './exchange.ts';
import type { Exchange, Route } from './exchange.ts';
import { cancelSignIn, currentInteraction, finishSignIn } from './interactions.ts';
import { accountsPage } from './pages.ts';
import { peopleOf } from './people.ts';
import type { IdentityProvider } from './people.ts';

/** The account page of an upstream provider. */
export function accountRoutes(upstream: Provider, identityProvider: IdentityProvider): Route[] {
  const path = new RegExp(`^${new URL(upstream.issuer).pathname}/accounts/(?<uid>[\\w-]+)$`);
  const people = peopleOf(identityProvider.id);

  async function show(exchange: Exchange): Promise<void> {
    await currentInteraction(upstream, exchange);
    sendPage(exchange.response, 200, accountsPage(identityProvider, people));
  }

  async function choose(exchange: Exchange): Promise<void> {
    await currentInteraction(upstream, exchange);
    const form = await readForm(exchange.request);
    if (form.has('cancel')) return cancelSignIn(upstream, exchange);
    const person = people.find(({ id }) => id === form.get('person'));
    if (!person) throw new errors.InvalidRequest('no account was chosen');
    return finishSignIn(upstream, exchange, person.id);
  }

  return [
    { method: 'GET', path, handle: show },
    { method: 'POST', path, handle: choose },
  ];
}
