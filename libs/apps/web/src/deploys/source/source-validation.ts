import type { DeployLimits } from '@homeport/apps/contracts';
import { fileSize, formatNumber } from '@homeport/platform/web';
import type { ArchivePlan } from './archive-plan';

/**
 * Explains why files cannot be deployed.
 *
 * @param limits undefined while they are unknown; the server validates again.
 * @returns a sentence, or undefined when no problem was found.
 */
export function validateFiles({ files, ignoredFiles, bytes }: ArchivePlan, limits?: DeployLimits): string | undefined {
  if (files.length === 0)
    return ignoredFiles.length === 0 ? $localize`The selection contains no files.` : onlyIgnoredMessage(ignoredFiles);
  if (!limits) return undefined;
  if (files.length > limits.files) {
    return $localize`The selection has ${formatNumber(files.length)}:files: files; a deploy can have at most ${formatNumber(limits.files)}:most:.`;
  }
  const large = files.find(({ file }) => file.size > limits.file_bytes);
  if (large) {
    return $localize`${large.file.name}:file: is ${fileSize(large.file.size)}:size:. A file can be up to ${fileSize(limits.file_bytes)}:most:.`;
  }
  return bytes > limits.unpacked_bytes ? tooLargeMessage(bytes, limits.unpacked_bytes) : undefined;
}

/** Explains why an archive is too large; undefined when it is not. */
export function validateArchive(name: string, bytes: number, limits?: DeployLimits): string | undefined {
  if (!limits || bytes <= limits.archive_bytes) return undefined;
  return $localize`${name}:file: is ${fileSize(bytes)}:size:. An archive can be up to ${fileSize(limits.archive_bytes)}:most:.`;
}

/** Explains why a file is not a supported archive. */
export function invalidArchiveMessage(name: string, how: 'damaged' | 'foreign' | undefined): string {
  switch (how) {
    case 'damaged':
      return $localize`${name}:file: is damaged or not an archive.`;
    case 'foreign':
      return $localize`${name}:file: cannot be unpacked here. Choose a .zip or a .tar.gz.`;
    default:
      return $localize`${name}:file: is not an archive. Choose a folder, a .zip or a .tar.gz.`;
  }
}

function onlyIgnoredMessage([first]: readonly string[]): string {
  return $localize`The selection contains only ignored files, such as ${first}:path:.`;
}

function tooLargeMessage(bytes: number, most: number): string {
  return $localize`The files are ${fileSize(bytes)}:size: in total. A deploy can be up to ${fileSize(most)}:most:.`;
}
