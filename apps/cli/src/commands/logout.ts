import { revokeTokens } from '../sign-in/identity-client';
import { defineCommand } from './command';

export const logoutCommand = defineCommand({
  name: 'logout',
  summary: 'Remove the stored credentials of the server',
  run: async (context) => {
    const url = await context.url();
    const removed = await context.credentials.remove(url);
    if (removed?.refresh_token !== undefined && removed.issuer !== undefined && removed.client_id !== undefined) {
      const service = { issuer: removed.issuer, clientId: removed.client_id };
      await revokeTokens(service, removed.refresh_token).catch(() =>
        context.terminal.note('The identity service could not be reached: the session ends there when it expires.'),
      );
    }
    context.terminal.result({ url, signed_out: removed !== undefined }, () =>
      removed ? `Signed out of ${url}.` : `Not signed in to ${url}.`,
    );
  },
});
