import { errors } from 'oidc-provider';
import type { Interaction, Provider } from 'oidc-provider';
import type { Exchange } from './exchange.ts';

/**
 * The sign-in in progress that the request's cookie and address name.
 * @throws SessionNotFound when it is over: finished, expired, or another browser's.
 */
export async function currentInteraction(provider: Provider, exchange: Exchange): Promise<Interaction> {
  const interaction = await provider.interactionDetails(exchange.request, exchange.response);
  if (interaction.uid !== exchange.params['uid']) throw new errors.SessionNotFound('another sign-in is in progress');
  return interaction;
}

/** Sends the person on, signed in as `accountId`. */
export async function finishSignIn(provider: Provider, exchange: Exchange, accountId: string): Promise<void> {
  await endSessionOfAnother(provider, exchange, accountId);
  // All prompts are answered by a choice of account; there is no consent screen.
  const result = { login: { accountId }, select_account: {}, consent: {} };
  await provider.interactionFinished(exchange.request, exchange.response, result, { mergeWithLastSubmission: false });
}

/** Sends the person back to whoever asked, with `access_denied`. */
export function cancelSignIn(provider: Provider, exchange: Exchange): Promise<void> {
  return provider.interactionFinished(
    exchange.request,
    exchange.response,
    { error: 'access_denied', error_description: 'the person cancelled the sign-in' },
    { mergeWithLastSubmission: false },
  );
}

/** A browser has one session: without this, choosing a second account would take a scripted detour over sign-out. */
async function endSessionOfAnother(provider: Provider, exchange: Exchange, accountId: string): Promise<void> {
  const session = await provider.Session.get(provider.createContext(exchange.request, exchange.response));
  if (session.accountId === undefined || session.accountId === accountId) return;
  const interaction = await currentInteraction(provider, exchange);
  interaction.session = undefined;
  await interaction.persist();
  await session.destroy();
}
