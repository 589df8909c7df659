import { operations } from '@homeport/api-client';
import { UsageError } from '../cli.errors';
import { findApp } from '../find-app';
import { withApp } from './app-argument';
import { defineCommand } from './command';

type TrustRequest = Parameters<typeof operations.createTrust>[0]['body'];

export const trustsCreateCommand = defineCommand({
  name: 'create <app>',
  summary: 'Trust the pipelines of a repository',
  options: (yargs) =>
    withApp(yargs)
      .option('issuer', {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'github, gitlab, or the https address of an issuer',
      })
      .option('claim', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'name=value that the ID token must have; * at the end matches any text; repeatable',
      })
      .option('scope', {
        type: 'string',
        array: true,
        default: ['deploys:write'],
        describe: 'What the pipelines may do; repeatable',
      })
      .example(
        'homeport trusts create my-shop --issuer github --claim repository=acme/shop --claim ref=refs/heads/main',
        'Trust the main branch',
      ),
  lists: ['claim', 'scope'],
  run: async (context, { app, issuer, claim, scope }) => {
    const claims = parseClaims(claim);
    const homeport = await context.server();
    const { id } = await findApp(homeport, app);
    const scopes = scope as TrustRequest['scopes'];
    const trust = await operations.createTrust({
      client: homeport.client,
      path: { id },
      body: { issuer, claims, scopes },
    });
    context.terminal.result(trust, () => [
      `Pipelines of ${trust.issuer} may sign in for ${app}. Sign in there with:`,
      `homeport login --pipeline --url ${homeport.baseUrl} --app ${id}`,
    ]);
  },
});

/** @throws {UsageError} also for a name with two values: a trust requires all of its claims. */
function parseClaims(args: readonly string[]): Record<string, string> {
  const claims = new Map<string, string>();
  for (const [name, value] of args.map(parseClaim)) {
    if (claims.has(name))
      throw new UsageError(
        `The claim "${name}" is named twice.`,
        'Create a trust for each value, or use * at the end.',
      );
    claims.set(name, value);
  }
  return Object.fromEntries(claims);
}

function parseClaim(claim: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(claim) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new UsageError(`"${claim}" is not of the form name=value.`);
}
