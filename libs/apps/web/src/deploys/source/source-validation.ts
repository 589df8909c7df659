import type { DeployLimits } from '@homeport/apps/contracts';
import { fileSize, formatNumber } from '@homeport/platform/web';
import type { ArchivePlan } from './archive-plan';

/**
 * Why these files cannot become a deploy, in a sentence; undefined when they can, as far as one knows here.
 * @param limits absent while they are not known: the server has the last word.
 */
export function validateFiles({ files, ignoredFiles, bytes }: ArchivePlan, limits?: DeployLimits): string | undefined {
  if (files.length === 0)
    return ignoredFiles.length === 0 ? $localize`There is no file in it.` : onlyIgnoredMessage(ignoredFiles);
  if (!limits) return undefined;
  if (files.length > limits.files) {
    return $localize`There are ${formatNumber(files.length)}:files: files in it; a deploy has at most ${formatNumber(limits.files)}:most:.`;
  }
  const large = files.find(({ file }) => file.size > limits.file_bytes);
  if (large) {
    return $localize`${large.file.name}:file: has ${fileSize(large.file.size)}:size:; a file has at most ${fileSize(limits.file_bytes)}:most:.`;
  }
  return bytes > limits.unpacked_bytes ? tooLargeMessage(bytes, limits.unpacked_bytes) : undefined;
}

/** Why an archive is not sent. */
export function validateArchive(name: string, bytes: number, limits?: DeployLimits): string | undefined {
  if (!limits || bytes <= limits.archive_bytes) return undefined;
  return $localize`${name}:file: has ${fileSize(bytes)}:size:; an archive has at most ${fileSize(limits.archive_bytes)}:most:.`;
}

/** Why what was picked is no archive that can be unpacked. */
export function invalidArchiveMessage(name: string, how: 'damaged' | 'foreign' | undefined): string {
  switch (how) {
    case 'damaged':
      return $localize`${name}:file: is damaged: inside it is no archive.`;
    case 'foreign':
      return $localize`${name}:file: cannot be unpacked here. Choose a .zip or a .tar.gz.`;
    default:
      return $localize`${name}:file: is no archive. Choose a folder, a .zip or a .tar.gz.`;
  }
}

function onlyIgnoredMessage([first]: readonly string[]): string {
  return $localize`There is nothing in it but what is left out, such as ${first}:path:.`;
}

function tooLargeMessage(bytes: number, most: number): string {
  return $localize`The files have ${fileSize(bytes)}:size:; a deploy has at most ${fileSize(most)}:most:.`;
}
