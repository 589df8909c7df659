import { formatNumber } from '@homeport/platform/web';
import type { DeploySource } from '../source/deploy-source';

/** Maximum number of ignored paths in the message. */
const MAX_NAMED_PATHS = 3;

/** Lists the ignored files; empty when there are none. */
export function ignoredFilesMessage(source: DeploySource): string {
  return source.kind === 'files' && source.ignoredFiles.length > 0 ? ignoredPathsMessage(source.ignoredFiles) : '';
}

/** Warns about a missing index page. The server checks archives itself. */
export function missingIndexMessage(source: DeploySource): string {
  return source.kind === 'files' && !source.hasIndex
    ? $localize`There is no index.html at the top level, so the address shows no page.`
    : '';
}

/** The name of the source, shown during the upload. */
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
