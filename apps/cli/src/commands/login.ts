import { text } from 'node:stream/consumers';
import { UsageError } from '../cli.errors';
import type { Context } from '../context';
import { assertAccepted } from '../credentials/assert-accepted';
import type { Credentials } from '../credentials/credentials';
import { appReference, isAppId } from '../find-app';
import { signInByDevice } from '../sign-in/device-sign-in';
import { findIdentityService } from '../sign-in/find-identity-service';
import { signInByLoopback } from '../sign-in/loopback-sign-in';
import { signInAsPipeline } from '../sign-in/pipeline-sign-in';
import { openWebsite } from '../terminal/open-website';
import { defineCommand } from './command';

export const loginCommand = defineCommand({
  name: 'login',
  summary: 'Sign in with the browser, or store a token',
  options: (yargs) =>
    yargs
      .option('token', { type: 'boolean', default: false, describe: 'Read a token from standard input' })
      .option('browser', {
        type: 'boolean',
        default: true,
        describe: 'Open the browser; --no-browser prints the address',
      })
      .option('device', { type: 'boolean', default: false, describe: 'Sign in with a browser on another machine' })
      .option('pipeline', { type: 'boolean', default: false, describe: 'Sign in as a pipeline, with its ID token' })
      .option('app', {
        type: 'string',
        requiresArg: true,
        describe: 'Id of the app, with --pipeline; default: that of homeport.json',
      })
      .example('homeport login --url https://homeport.example.com', 'Sign in with the browser')
      .example('homeport login --token < token.txt', 'Store a token'),
  run: async (context, { token, browser, device, pipeline, app }) => {
    const url = await context.url();
    const credentials = pipeline
      ? await signInPipeline(context, app)
      : token
        ? await readToken(context)
        : device
          ? await signInWithDevice(context)
          : await signIn(context, browser);
    await assertAccepted(await context.serverWith(credentials.access_token));
    await context.credentials.save(url, credentials);
    const { name, email } = credentials;
    const person = name === undefined ? '' : ` as ${name}`;
    context.terminal.result({ url, name: name ?? null, email: email ?? null }, () => `Signed in to ${url}${person}.`);
  },
});

async function signIn(context: Context, opensBrowser: boolean): Promise<Credentials> {
  const service = await findIdentityService(await context.publicServer());
  return signInByLoopback({
    ...service,
    signal: context.signal,
    open: async (address) => {
      context.terminal.note(`Sign in at:\n${address}`);
      if (opensBrowser) await openWebsite(address);
    },
  });
}

async function signInWithDevice(context: Context): Promise<Credentials> {
  const show = (address: string, code: string) => context.terminal.note(`Open:\n${address}\nThe code is ${code}`);
  return signInByDevice({ ...(await findIdentityService(await context.publicServer())), signal: context.signal, show });
}

async function signInPipeline(context: Context, app: string | undefined): Promise<Credentials> {
  const appId = await appReference(context.cwd, app);
  if (!isAppId(appId)) {
    const nextStep = `Without a sign-in, no name can be looked up: "homeport apps show ${appId}" on your machine prints the id.`;
    throw new UsageError(`"${appId}" is not the id of an app.`, nextStep);
  }
  return signInAsPipeline(await context.publicServer(), appId, context.environment.variables);
}

/** A token is read from standard input, so that it appears neither in the shell's history nor in the process list. */
async function readToken({ terminal }: Context): Promise<Credentials> {
  const { stdin } = terminal.streams;
  if (stdin.isTTY) terminal.note('Enter the token, then press Ctrl+D:');
  const token = (await text(stdin)).trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('Standard input contains no token.');
  return { access_token: token };
}
