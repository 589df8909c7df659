import { assertAccepted } from '../credentials/assert-accepted';
import { defineCommand } from './command';

export const whoamiCommand = defineCommand({
  name: 'whoami',
  summary: 'Show the server and the signed-in person, and check the token',
  run: async (context) => {
    const homeport = await context.server();
    await assertAccepted(homeport);
    const { baseUrl: url } = homeport;
    const isStored = context.environment.token === undefined;
    const source = isStored ? context.credentials.path : 'HOMEPORT_TOKEN';
    const { name = null, email = null } = (isStored && (await context.credentials.find(url))) || {};
    context.terminal.result({ url, name, email, source }, () => [
      ...(name === null ? ['Signed in with a token'] : [`${name}${email === null ? '' : ` <${email}>`}`]),
      `Server: ${url}`,
      `Credentials: ${source}`,
    ]);
  },
});
