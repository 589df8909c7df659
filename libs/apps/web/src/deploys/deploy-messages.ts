import { type Deploy, type DeployProblem, START_PAGE } from '@homeport/apps/contracts';
import { fileSize, formatNumber, type IconName, type StatusTone } from '@homeport/platform/web';
import { frameworkLabel } from '../shared/app-messages';

export interface DeployStatusLabel {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: StatusTone;
}

/**
 * The label of a deploy status. The app knows which deploy is live, the deploy does not.
 * @param live the tone of the app's status; undefined for other deploys. Green only when people can open the app.
 */
export function deployStatusLabel(
  deploy: Pick<Deploy, 'status' | 'first_live_at' | 'held_back'>,
  live: StatusTone | undefined,
): DeployStatusLabel {
  if (live) return { words: $localize`Live`, icon: 'check-circle', tone: live === 'ok' ? 'ok' : 'quiet' };
  switch (deploy.status) {
    case 'ready':
      return readyLabel(deploy);
    case 'uploading':
      return { words: $localize`Uploading`, icon: 'upload', tone: 'busy' };
    case 'processing':
      return { words: $localize`Processing`, icon: 'clock', tone: 'busy' };
    case 'starting':
      return { words: $localize`:deploy|:Starting`, icon: 'clock', tone: 'busy' };
    case 'failed':
      return { words: $localize`Failed`, icon: 'alert', tone: 'bad' };
    case 'archived':
      return { words: $localize`Archived`, icon: 'file-archive', tone: 'quiet' };
  }
}

function readyLabel({
  first_live_at: firstLive,
  held_back: isHeldBack,
}: Pick<Deploy, 'first_live_at' | 'held_back'>): DeployStatusLabel {
  if (firstLive !== null) return { words: $localize`:deploy|:Was live`, icon: 'clock', tone: 'quiet' };
  return isHeldBack
    ? { words: $localize`:deploy|:Not activated`, icon: 'alert', tone: 'warn' }
    : { words: $localize`:deploy|:Preview`, icon: 'circle', tone: 'quiet' };
}

/** The number of a deploy as people write it: "#4". */
export function numberOf({ number }: Pick<Deploy, 'number'>): string {
  return `#${number}`;
}

/** Offers to roll back to a deploy: "Roll back to #3". */
export function rollBackMessage(former: Pick<Deploy, 'number'>): string {
  return $localize`Roll back to ${numberOf(former)}:number:`;
}

/** The first line of the note of a deploy; empty for a deploy without a note. */
export function noteOf({ source }: Pick<Deploy, 'source'>): string {
  return source?.message?.trim().split('\n')[0]?.trim() ?? '';
}

/** Size and number of files: "24 files · 1.2 MiB". */
export function deploySizeMessage({
  file_count: files,
  total_bytes: bytes,
}: Pick<Deploy, 'file_count' | 'total_bytes'>): string {
  return files === 1
    ? $localize`1 file · ${fileSize(bytes)}:size:`
    : $localize`${formatNumber(files)}:count: files · ${fileSize(bytes)}:size:`;
}

/** Framework, size and number of files, as far as they are known: "Next.js · 24 files · 1.2 MiB". */
export function deployContentsMessage(deploy: Deploy): string {
  const framework = deploy.framework ? [frameworkLabel(deploy.framework)] : [];
  return [...framework, ...(hasContents(deploy) ? [deploySizeMessage(deploy)] : [])].join(' · ');
}

export function problemCountMessage(problems: number): string {
  return problems === 1 ? $localize`1 problem` : $localize`${formatNumber(problems)}:count: problems`;
}

/** Whether the deploy serves nothing at `/`: visitors of the address see “Not found”. */
export function lacksStartPage(problems: readonly DeployProblem[]): boolean {
  return problems.some(({ path, line }) => path === START_PAGE && line === null);
}

/** Whether the deploy changes without user action. */
export function isDeployInProgress({ status }: Pick<Deploy, 'status'>): boolean {
  return status === 'uploading' || status === 'processing' || status === 'starting';
}

/** Whether size and number of files are known. */
export function hasContents({ status }: Pick<Deploy, 'status'>): boolean {
  return status === 'ready' || status === 'archived';
}
