import { errors } from 'oidc-provider';
import type { Interaction, Provider } from 'oidc-provider';
import type { Exchange } from './exchange.ts';

/**
 * Returns the pending sign-in that the request's cookie and URL name.
 * @throws SessionNotFound when it is finished, expired, or belongs to another browser.
 */
export async function currentInteraction(provider: Provider, exchange: Exchange): Promise<Interaction> {
  const interaction = await provider.interactionDetails(exchange.request, exchange.response);
  if (interaction.uid !== exchange.params['uid']) throw new errors.SessionNotFound('another sign-in is in progress');
  return interaction;
}

/** Completes the sign-in as `accountId`. */
export async function finishSignIn(provider: Provider, exchange: Exchange, accountId: string): Promise<void> {
  await endSessionOfAnother(provider, exchange, accountId);
  // The choice of an account satisfies all prompts; there is no consent screen.
  const result = { login: { accountId }, select_account: {}, consent: {} };
  await provider.interactionFinished(exchange.request, exchange.response, result, { mergeWithLastSubmission: false });
}

/** Returns to the client with `access_denied`. */
export function cancelSignIn(provider: Provider, exchange: Exchange): Promise<void> {
  return provider.interactionFinished(
    exchange.request,
    exchange.response,
    { error: 'access_denied', error_description: 'the person cancelled the sign-in' },
    { mergeWithLastSubmission: false },
  );
}

/**
 * Ends the session of another account. A browser has one session: without this, choosing a second account would need a
 * scripted detour through sign-out.
 */
async function endSessionOfAnother(provider: Provider, exchange: Exchange, accountId: string): Promise<void> {
  const session = await provider.Session.get(provider.createContext(exchange.request, exchange.response));
  if (session.accountId === undefined || session.accountId === accountId) return;
  const interaction = await currentInteraction(provider, exchange);
  interaction.session = undefined;
  await interaction.persist();
  await session.destroy();
}
