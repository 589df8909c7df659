import type { AppType, DeployLimits } from '@homeport/apps/contracts';
import type { PickedFile } from '@homeport/platform/web';
import { archiveKind, type ArchiveType, SIGNATURE_BYTES } from './archive-kind';
import { archivePlan, type ArchivePlan } from './archive-plan';
import { validateArchive, invalidArchiveMessage, validateFiles } from './source-validation';

/** The source of a deploy: a finished archive, or files to pack. */
export type SiteSource =
  | { readonly kind: 'archive'; readonly name: string; readonly file: File; readonly type: ArchiveType }
  | ({ readonly kind: 'files' } & ArchivePlan);

/** The reason why a selection is rejected, as a sentence. */
export interface RejectedSource {
  readonly kind: 'refused';
  readonly reason: string;
}

const PAGE = /\.html?$/i;

/** Validates a selection before the upload. Rejects when the device cannot read a file. */
export async function siteSource(
  picked: readonly PickedFile[],
  limits?: DeployLimits,
  type?: AppType,
): Promise<SiteSource | RejectedSource> {
  const [only, ...others] = picked;
  if (only && others.length === 0 && !only.path.includes('/') && !PAGE.test(only.path)) {
    return archiveSource(only.file, limits);
  }
  const list = archivePlan(picked, type);
  const reason = validateFiles(list, limits);
  return reason === undefined ? { kind: 'files', ...list } : { kind: 'refused', reason };
}

async function archiveSource(file: File, limits?: DeployLimits): Promise<SiteSource | RejectedSource> {
  const { name } = file;
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const type = archiveKind(name, head);
  if (type === undefined || type === 'damaged' || type === 'foreign') {
    return { kind: 'refused', reason: invalidArchiveMessage(name, type) };
  }
  const reason = validateArchive(name, file.size, limits);
  return reason === undefined ? { kind: 'archive', name, file, type } : { kind: 'refused', reason };
}
