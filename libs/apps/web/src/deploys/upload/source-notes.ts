import { formatNumber } from '@homeport/platform/web';
import type { DeploySource } from '../choosing/deploy-source';

/** How many of the paths that are left out are named. */
const NAMED = 3;

/** What somebody should know of what they deploy, a sentence each. */
export function sourceNotes(source: DeploySource): readonly string[] {
  if (source.kind === 'archive') return [];
  const notes: string[] = [];
  if (source.leftOut.length > 0) notes.push(leftOutNote(source.leftOut));
  if (!source.hasIndex) {
    notes.push($localize`There is no index.html at the top of it: people who open the address find no page.`);
  }
  return notes;
}

/** What it is called while it is on its way. */
export function sourceName(source: DeploySource): string {
  if (source.kind === 'archive') return source.name;
  if (source.name !== undefined) return source.name;
  const [first, ...others] = source.files;
  return others.length === 0 ? (first?.path ?? '') : $localize`${formatNumber(source.files.length)}:count: files`;
}

function leftOutNote(paths: readonly string[]): string {
  const named = paths.slice(0, NAMED).join(', ');
  const more = paths.length - NAMED;
  return more > 0
    ? $localize`Left out, because hidden files are not served: ${named}:paths: and ${formatNumber(more)}:more: more.`
    : $localize`Left out, because hidden files are not served: ${named}:paths:.`;
}
