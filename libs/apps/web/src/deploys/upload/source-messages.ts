import { formatNumber } from '@homeport/platform/web';
import type { DeploySource } from '../source/deploy-source';

/** How many of the paths that are left out are named. */
const MAX_NAMED_PATHS = 3;

/** What is left out of it, in a sentence; nothing when all of it is sent. */
export function ignoredFilesMessage(source: DeploySource): string {
  return source.kind === 'files' && source.ignoredFiles.length > 0 ? ignoredPathsMessage(source.ignoredFiles) : '';
}

/** What its author may not have meant, in a sentence. Of an archive the server knows it. */
export function missingIndexMessage(source: DeploySource): string {
  return source.kind === 'files' && !source.hasIndex
    ? $localize`There is no index.html at the top of it: people who open the address find no page.`
    : '';
}

/** What it is called while it is on its way. */
export function sourceName(source: DeploySource): string {
  if (source.kind === 'archive') return source.name;
  if (source.name !== undefined) return source.name;
  const [first, ...others] = source.files;
  return others.length === 0 ? (first?.path ?? '') : $localize`${formatNumber(source.files.length)}:count: files`;
}

function ignoredPathsMessage(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED_PATHS).join(', ');
  const more = paths.length - MAX_NAMED_PATHS;
  return more > 0
    ? $localize`Left out, because hidden files are not served: ${named}:paths: and ${formatNumber(more)}:more: more.`
    : $localize`Left out, because hidden files are not served: ${named}:paths:.`;
}
