import { MAX_SOURCE_MESSAGE_LENGTH } from '@homeport/apps/contracts';
import { formatNumber } from '@homeport/platform/web';
import type { SiteSource } from '../source/site-source';

/** Maximum number of ignored paths in the message. */
const MAX_NAMED_PATHS = 3;

/** Lists the ignored files; empty when there are none. */
export function ignoredFilesMessage(source: SiteSource): string {
  return source.kind === 'files' && source.ignoredFiles.length > 0 ? ignoredPathsMessage(source.ignoredFiles) : '';
}

/** Warns about a missing index page. The server checks archives itself. */
export function missingIndexMessage(source: SiteSource): string {
  return source.kind === 'files' && !source.hasIndex
    ? $localize`There is no index.html at the top level, so the address shows no page.`
    : '';
}

/** The name of the source, shown during the upload. */
export function sourceName(source: SiteSource): string {
  if (source.kind === 'archive') return source.name;
  if (source.name !== undefined) return source.name;
  const [first, ...others] = source.files;
  return others.length === 0 ? (first?.path ?? '') : $localize`${formatNumber(source.files.length)}:count: files`;
}

/** The note that is stored with the deploy: the typed one, else the name of the archive, the folder or the only file. */
export function noteFor(source: SiteSource, typed: string): string {
  const isNamed = source.name !== undefined || (source.kind === 'files' && source.files.length === 1);
  const note = typed.trim() || (isNamed ? sourceName(source) : '');
  // The API rejects longer notes, and control characters, which file names can contain.
  return [
    ...note
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
  ]
    .slice(0, MAX_SOURCE_MESSAGE_LENGTH)
    .join('');
}

function ignoredPathsMessage(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED_PATHS).join(', ');
  const more = paths.length - MAX_NAMED_PATHS;
  return more > 0
    ? $localize`Left out, because hidden files are not served: ${named}:paths: and ${formatNumber(more)}:more: more.`
    : $localize`Left out, because hidden files are not served: ${named}:paths:.`;
}
