import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT_CODES, CliError, UsageError } from '../cli.errors';
import type { Context } from '../context';
import { FolderPair } from '../files/folder-pair';
import { folderPrefix } from '../files/remote-files';
import { sync } from '../files/sync';
import type { PlannedSync, SyncAction } from '../files/sync-plan';
import { SyncState } from '../files/sync-state';
import { defineCommand } from './command';

const REMOTE = 'workspace:';
const RENAME = 'Rename or remove the files that are named above, then repeat the command. The others are synchronized.';

interface SyncArguments {
  readonly source: string;
  readonly target: string;
  readonly delete: boolean;
  readonly 'dry-run': boolean;
  readonly force: boolean;
}

export const filesSyncCommand = defineCommand<SyncArguments>({
  name: 'sync <source> <target>',
  summary: `Make a folder equal to another; "${REMOTE}<folder>" is a folder of the workspace`,
  options: (yargs) =>
    yargs
      .positional('source', { type: 'string', demandOption: true, describe: 'Folder to read' })
      .positional('target', { type: 'string', demandOption: true, describe: 'Folder to change' })
      .option('delete', { type: 'boolean', default: false, describe: 'Delete files that the source does not have' })
      .option('dry-run', { type: 'boolean', default: false, describe: 'Print the plan and change nothing' })
      .option('force', { type: 'boolean', default: false, describe: 'Replace files that changed in the target' })
      .example(`homeport files sync ./docs ${REMOTE}docs`, 'Upload changes')
      .example(`homeport files sync ${REMOTE}docs ./docs --delete`, 'Download changes and deletions'),
  run: async (context, options) => {
    const { direction, folder, prefix } = placesOf(options, context.cwd);
    const { terminal, signal } = context;
    await assertUsable(folder, direction);
    const pair = await openPair(context, folder, prefix);
    signal.throwIfAborted();
    const dryRun = options['dry-run'];
    const results = await sync(pair, {
      ...{ direction, dryRun, deletes: options.delete, force: options.force },
      onDone: (done, total) => terminal.progress(`${done} of ${total} files`),
    });
    const conflicts = results.filter(({ action }) => action === 'conflict');
    terminal.result({ dry_run: dryRun, ...countsOf(results), files: changesIn(results) }, () =>
      linesOf(results, dryRun),
    );
    const { failed } = countsOf(results);
    if (failed > 0 && !dryRun) throw new CliError(`${failed} of the files cannot be synchronized.`, 'rejected', RENAME);
    if (conflicts.length > 0 && !dryRun) throw conflictError(conflicts.length);
  },
});

/**
 * A source that does not exist, for example on a disk that is not mounted, must not empty the workspace.
 * @throws {UsageError}
 */
async function assertUsable(folder: string, direction: 'up' | 'down'): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found ? !found.isDirectory() : direction === 'up') throw new UsageError(`${folder} is not a folder.`);
}

async function openPair(context: Context, folder: string, prefix: string): Promise<FolderPair> {
  const homeport = await context.server();
  const state = await SyncState.open(context.environment.stateDir, [homeport.baseUrl, folder, prefix]);
  return new FolderPair({ homeport, folder, prefix, state, signal: context.signal });
}

function placesOf({ source, target }: SyncArguments, cwd: string) {
  const [isDown, isUp] = [source.startsWith(REMOTE), target.startsWith(REMOTE)];
  if (isUp === isDown) throw new UsageError(`Exactly one of the folders must begin with "${REMOTE}".`);
  const [local, remote] = isUp ? [source, target] : [target, source];
  const direction: 'up' | 'down' = isUp ? 'up' : 'down';
  return { direction, folder: resolve(cwd, local), prefix: folderPrefix(remote.slice(REMOTE.length)) };
}

const changesIn = (results: readonly PlannedSync[]) =>
  results.filter(({ action }) => !['same', 'keep'].includes(action));

function countsOf(
  results: readonly PlannedSync[],
): Record<'created' | 'replaced' | 'deleted' | 'same' | 'conflicts' | 'failed', number> {
  const number = (action: SyncAction) => results.filter((result) => result.action === action).length;
  return {
    created: number('create'),
    replaced: number('replace'),
    deleted: number('delete'),
    same: number('same'),
    conflicts: number('conflict'),
    failed: number('failed'),
  };
}

function linesOf(results: readonly PlannedSync[], dryRun: boolean): string[] {
  const { created, replaced, deleted, same, conflicts, failed } = countsOf(results);
  const lines = changesIn(results).map(
    ({ path, action, reason }) => `${action.padEnd(8)} ${path}${reason ? `: ${reason}` : ''}`,
  );
  const prefix = dryRun ? 'Plan: ' : '';
  return [
    ...lines,
    `${prefix}${created} created, ${replaced} replaced, ${deleted} deleted, ${same} same, ${conflicts} in conflict${failed > 0 ? `, ${failed} failed` : ''}`,
  ];
}

function conflictError(number: number): CliError {
  const message = `${number} of the files are in conflict and were not changed (exit code ${EXIT_CODES.conflict}).`;
  return new CliError(message, 'conflict', 'Synchronize in the other direction, or repeat the command with --force.');
}
