import type { App, DeployDetails } from '@homeport/apps/contracts';
import { fileSize, formatNumber, type HttpProblem } from '@homeport/platform/web';

/** How far a deploy is that was begun here. */
export type DeployStage =
  | { readonly at: 'preparing'; readonly done: number; readonly total: number }
  | { readonly at: 'uploading'; readonly sent: number; readonly total: number }
  | { readonly at: 'processing' }
  /** The connection was lost after the last byte, and the history is being asked. */
  | { readonly at: 'verifying' }
  | { readonly at: 'done'; readonly deploy: DeployDetails; readonly app: App }
  | { readonly at: 'failed'; readonly problem: HttpProblem }
  | { readonly at: 'cancelled' };

export function isInProgress({ at }: DeployStage): boolean {
  return at === 'preparing' || at === 'uploading' || at === 'processing' || at === 'verifying';
}

/** Once all of it has left this device it cannot be called back. */
export function canCancel({ at }: DeployStage): boolean {
  return at === 'preparing' || at === 'uploading';
}

/** From 0 to 1; undefined while nobody can know. */
export function progressOf(stage: DeployStage): number | undefined {
  if (stage.at === 'preparing') return stage.done / stage.total;
  if (stage.at === 'uploading') return stage.sent / stage.total;
  return undefined;
}

export interface StageMessage {
  readonly title: string;
  readonly detail: string;
}

/** What a stage is called, and how far it is. */
export function stageMessage(stage: DeployStage): StageMessage {
  switch (stage.at) {
    case 'preparing':
      return { title: $localize`Preparing…`, detail: preparedMessage(stage.done, stage.total) };
    case 'uploading':
      return {
        title: $localize`Uploading…`,
        detail: $localize`${fileSize(stage.sent)}:sent: of ${fileSize(stage.total)}:all:`,
      };
    case 'processing':
      return { title: $localize`Processing…`, detail: $localize`Everything has arrived and is being unpacked.` };
    case 'verifying':
      return {
        title: $localize`Looking whether it arrived…`,
        detail: $localize`The connection was lost after everything had been sent.`,
      };
    case 'done':
      return doneMessage(stage.app.active_deploy_id === stage.deploy.id);
    case 'failed':
      return { title: stage.problem.title, detail: stage.problem.detail };
    case 'cancelled':
      return { title: $localize`Upload cancelled`, detail: $localize`What was live before is live still.` };
  }
}

export function doneMessage(isLive: boolean): StageMessage {
  return isLive
    ? { title: $localize`The deploy is live`, detail: $localize`Everybody who opens the app sees it.` }
    : {
        title: $localize`The deploy is ready`,
        detail: $localize`Look at its preview, and make it live when you like.`,
      };
}

function preparedMessage(done: number, total: number): string {
  return total === 1
    ? $localize`${formatNumber(done)}:done: of 1 file`
    : $localize`${formatNumber(done)}:done: of ${formatNumber(total)}:total: files`;
}
