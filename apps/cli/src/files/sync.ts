import { rm, stat } from 'node:fs/promises';
import { ApiProblem, operations } from '@homeport/api-client';
import { inParallel } from '../in-parallel';
import { digestOf } from './digests';
import { download } from './download';
import type { ComparedFile, FolderPair } from './folder-pair';
import { planFile, type PlannedSync, type SyncRules } from './sync-plan';
import { upload } from './upload';

const WIDTH = 8;
const CHANGED_MEANWHILE = 'it changed during the synchronization';

export interface SyncOptions extends SyncRules {
  readonly direction: 'up' | 'down';
  readonly dryRun: boolean;
  readonly onDone: (done: number, total: number) => void;
}

/** A side of the synchronization changed after the comparison. */
class ChangedMeanwhile extends Error {}

/** Makes the target equal to the source. @returns what was done, or would be done, with each file. */
export async function sync(pair: FolderPair, options: SyncOptions): Promise<PlannedSync[]> {
  const listed = await pair.list();
  const results: PlannedSync[] = [];
  let done = 0;
  await inParallel(listed, WIDTH, async ({ path, local, remote }) => {
    pair.signal.throwIfAborted();
    const compared = await pair.compare(path, local, remote);
    const [source, target] =
      options.direction === 'up' ? [compared.local, compared.remote] : [compared.remote, compared.local];
    const planned = planFile({ path, source, target, isEqual: compared.isEqual }, options);
    results.push(options.dryRun ? planned : await perform(pair, planned, compared, options.direction));
    options.onDone(++done, listed.length);
  });
  return results.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function perform(
  pair: FolderPair,
  planned: PlannedSync,
  compared: ComparedFile,
  direction: 'up' | 'down',
): Promise<PlannedSync> {
  const { path, action } = planned;
  try {
    if (action === 'same') await recordEqual(pair, compared);
    else if (action === 'delete')
      await (direction === 'up' ? deleteRemote(pair, compared) : deleteLocal(pair, compared));
    else if (action === 'create' || action === 'replace') {
      await (direction === 'up' ? uploadOne(pair, compared) : downloadOne(pair, compared));
    }
    return planned;
  } catch (error) {
    const isConflict = error instanceof ChangedMeanwhile || (error instanceof ApiProblem && error.status === 412);
    if (isConflict) return { path, action: 'conflict', reason: CHANGED_MEANWHILE };
    throw error;
  }
}

async function recordEqual(pair: FolderPair, { path, local, remote }: ComparedFile): Promise<void> {
  if (local && remote && !(local.isUnchanged && remote.isUnchanged))
    await pair.recordEqual(path, local.md5, remote.etag);
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
  await download(pair.homeport, { path: remote.key, target, etag: remote.etag, signal: pair.signal, beforeReplace });
  await pair.recordEqual(path, (await digestOf('md5', target)).toString('hex'), remote.etag);
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
