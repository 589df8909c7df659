import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '@homeport/platform/server/process';

const USAGE = `Usage: npm run pricing:publish -- [options]
       node dist/api/apps/api/src/publish/main.js [options]

Shows the changes that publishing the catalog would make. Changes nothing without --confirm. It needs DATABASE_URL; in a
clone, npm run takes the embedded database without it. Exit code 0: published, or no changes. 1: it failed. 2: an
unknown argument.

  --confirm          publish the changes
  --allow-steep      allow amounts to change more than tenfold
  --catalog <folder> the catalog to publish; default: the catalog of this build
  --by <name>        the publisher in the audit trail; default: the current user`;

const SHIPPED = fileURLToPath(new URL('../../../../libs/pricing/catalog', import.meta.url));

export interface PublishOptions {
  readonly isDryRun: boolean;
  readonly areLargeChangesAllowed: boolean;
  /** The folder of the catalog. */
  readonly catalog: string;
  readonly publisher: string;
}

/** @returns the options, or the exit code of a command that must not run. */
export function publishOptionsFrom(args: readonly string[]): PublishOptions | number {
  const commandLine = readCommandLine({
    args,
    usage: USAGE,
    options: {
      confirm: { type: 'boolean', default: false },
      'allow-steep': { type: 'boolean', default: false },
      catalog: { type: 'string', default: SHIPPED },
      by: { type: 'string', default: `${userInfo().username}@${hostname()}` },
    },
  });
  if ('exitCode' in commandLine) return commandLine.exitCode;
  const { confirm, catalog, by, 'allow-steep': areLargeChangesAllowed } = commandLine.values;
  return { isDryRun: !confirm, areLargeChangesAllowed, catalog, publisher: by };
}
