import { type Deploy, type DeployProblem, START_PAGE } from '@homeport/apps/contracts';
import { fileSize, formatNumber, type IconName, type StatusTone } from '@homeport/platform/web';

export interface DeployStatusLabel {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: StatusTone;
}

/**
 * The label of a deploy status. The app knows which deploy is live, the deploy does not.
 * @param live the tone of the live deploy: green only when people can open the app; undefined for other deploys.
 */
export function deployStatusLabel(
  { status, first_live_at: firstLive }: Pick<Deploy, 'status' | 'first_live_at'>,
  live: 'ok' | 'warn' | 'bad' | undefined,
): DeployStatusLabel {
  if (live) return { words: $localize`Live`, icon: live === 'ok' ? 'check-circle' : 'alert', tone: live };
  switch (status) {
    case 'ready':
      return firstLive === null
        ? { words: $localize`:deploy|:Ready`, icon: 'circle', tone: 'quiet' }
        : { words: $localize`:deploy|:Was live`, icon: 'clock', tone: 'quiet' };
    case 'uploading':
      return { words: $localize`Uploading`, icon: 'upload', tone: 'busy' };
    case 'processing':
      return { words: $localize`Processing`, icon: 'clock', tone: 'busy' };
    case 'failed':
      return { words: $localize`Failed`, icon: 'alert', tone: 'bad' };
    case 'archived':
      return { words: $localize`Archived`, icon: 'file-archive', tone: 'quiet' };
  }
}

/** Size and number of files: "1.2 MiB · 24 files". */
export function deploySizeMessage({
  file_count: files,
  total_bytes: bytes,
}: Pick<Deploy, 'file_count' | 'total_bytes'>): string {
  return files === 1
    ? $localize`${fileSize(bytes)}:size: · 1 file`
    : $localize`${fileSize(bytes)}:size: · ${formatNumber(files)}:count: files`;
}

export function problemCountMessage(problems: number): string {
  return problems === 1 ? $localize`1 problem found` : $localize`${formatNumber(problems)}:count: problems found`;
}

/** Whether the deploy serves nothing at `/`: visitors of the address see “Not found”. */
export function lacksStartPage(problems: readonly DeployProblem[]): boolean {
  return problems.some(({ path, line }) => path === START_PAGE && line === null);
}

/** Whether the deploy changes without user action. */
export function isDeployInProgress({ status }: Pick<Deploy, 'status'>): boolean {
  return status === 'uploading' || status === 'processing';
}

/** Whether size and number of files are known. */
export function hasContents({ status }: Pick<Deploy, 'status'>): boolean {
  return status === 'ready' || status === 'archived';
}
