import { NotSignedIn } from '../cli.errors';
import { assertAccepted } from '../credentials/assert-accepted';
import { storedToken } from '../credentials/stored-token';
import { defineCommand } from './command';

export const whoamiCommand = defineCommand({
  name: 'whoami',
  summary: 'Show the server and the signed-in person, and check the token',
  run: async (context) => {
    const url = await context.url();
    const { token } = context.environment;
    const stored = token === undefined ? await context.credentials.find(url) : undefined;
    const accepted = token ?? (await storedToken(context.credentials, url));
    if (accepted === undefined) throw new NotSignedIn(url);
    await assertAccepted(url, accepted);
    const source = token === undefined ? context.credentials.path : 'HOMEPORT_TOKEN';
    const { name = null, email = null } = stored ?? {};
    context.terminal.result({ url, name, email, source }, () => [
      ...(name === null ? ['Signed in with a token'] : [`${name}${email === null ? '' : ` <${email}>`}`]),
      `Server: ${url}`,
      `Credentials: ${source}`,
    ]);
  },
});
