import { rm, stat } from 'node:fs/promises';
import { operations } from '@homeport/api-client';
import { inParallel } from '../in-parallel';
import { download } from './download';
import type { ComparedFile, FolderPair, ListedFile } from './folder-pair';
import { ChangedMeanwhile, outcomeOfError } from './sync-outcome';
import { planFile, type PlannedSync, type SyncRules } from './sync-plan';
import { upload } from './upload';

const WIDTH = 8;
const LINK = 'a link or a device of this machine has this name';

export interface SyncOptions extends SyncRules {
  readonly direction: 'up' | 'down';
  readonly dryRun: boolean;
  readonly onDone: (done: number, total: number) => void;
}

/** Makes the target equal to the source. @returns what was done, or would be done, with each file. */
export async function sync(pair: FolderPair, options: SyncOptions): Promise<PlannedSync[]> {
  const { files, others, unusable } = await pair.list();
  const results: PlannedSync[] =
    options.direction === 'up' ? unusable.map((each) => ({ ...each, action: 'failed' })) : [];
  let done = 0;
  await inParallel(files, WIDTH, async (file) => {
    pair.signal.throwIfAborted();
    results.push(isOccupied(file.path, others) ? conflictWithLink(file) : await syncFile(pair, options, file));
    options.onDone(++done, files.length);
  });
  return results.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Whether a link has this path, or leads to it: a write would reach files outside of the folder. */
function isOccupied(path: string, links: readonly string[]): boolean {
  return links.some((link) => path === link || path.startsWith(`${link}/`));
}

function conflictWithLink({ path }: ListedFile): PlannedSync {
  return { path, action: 'conflict', reason: LINK };
}

/** Synchronizes one file. A fault of this file does not stop the others. */
async function syncFile(
  pair: FolderPair,
  options: SyncOptions,
  { path, local, remote }: ListedFile,
): Promise<PlannedSync> {
  const { direction, dryRun } = options;
  try {
    const compared = await pair.compare(path, local, remote);
    const [source, target] = direction === 'up' ? [compared.local, compared.remote] : [compared.remote, compared.local];
    const planned = planFile({ path, source, target, isEqual: compared.isEqual }, options);
    if (!dryRun) await perform(pair, planned, compared, direction);
    return planned;
  } catch (error) {
    const outcome = pair.signal.aborted ? undefined : outcomeOfError(error);
    if (outcome === undefined) throw error;
    return { path, ...outcome };
  }
}

async function perform(
  pair: FolderPair,
  { action }: PlannedSync,
  compared: ComparedFile,
  direction: 'up' | 'down',
): Promise<void> {
  if (action === 'same') await recordEqual(pair, compared);
  else if (action === 'delete') await (direction === 'up' ? deleteRemote(pair, compared) : deleteLocal(pair, compared));
  else if (action === 'create' || action === 'replace') {
    await (direction === 'up' ? uploadOne(pair, compared) : downloadOne(pair, compared));
  }
}

async function recordEqual(pair: FolderPair, { path, local, remote }: ComparedFile): Promise<void> {
  if (!local || !remote || (local.isUnchanged && remote.isUnchanged)) return;
  // As listed before the comparison: a person may have edited the file since.
  const { size, mtimeMs, md5 } = local;
  await pair.state.record(path, { etag: remote.etag, size, mtimeMs, md5 });
}

async function uploadOne(pair: FolderPair, { path, local, remote }: ComparedFile): Promise<void> {
  if (!local) return;
  const condition = remote ? { ifMatch: remote.etag } : { ifNoneMatch: '*' };
  const options = { ...condition, signal: pair.signal };
  const { etag } = await upload(pair.homeport, local.location, pair.prefix + path, options);
  await pair.state.record(path, { etag, size: local.size, mtimeMs: local.mtimeMs, md5: local.md5 });
}

async function downloadOne(pair: FolderPair, { path, local, remote }: ComparedFile): Promise<void> {
  if (!remote) return;
  const target = local?.location ?? pair.locationOf(path);
  const beforeReplace = () => assertUnchanged(target, local);
  const { key, etag, size } = remote;
  const request = { path: key, target, etag, size, signal: pair.signal, beforeReplace };
  const { md5, mtimeMs } = await download(pair.homeport, request);
  await pair.state.record(path, { etag, size, mtimeMs, md5 });
}

async function deleteRemote(pair: FolderPair, { path, remote }: ComparedFile): Promise<void> {
  if (!remote) return;
  const headers = { 'If-Match': remote.etag };
  await operations.deleteFile({
    client: pair.homeport.client,
    path: { path: remote.key },
    headers,
    signal: pair.signal,
  });
  await pair.state.record(path, null);
}

async function deleteLocal(pair: FolderPair, { path, local }: ComparedFile): Promise<void> {
  if (!local) return;
  await assertUnchanged(local.location, local);
  await rm(local.location);
  await pair.state.record(path, null);
}

/** A person may have edited the file since the comparison. */
async function assertUnchanged(location: string, compared: ComparedFile['local']): Promise<void> {
  const current = await stat(location).catch(() => undefined);
  if (current?.size !== compared?.size || current?.mtimeMs !== compared?.mtimeMs) throw new ChangedMeanwhile();
}
