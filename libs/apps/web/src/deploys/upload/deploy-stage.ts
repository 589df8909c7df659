import type { App, DeployDetails } from '@homeport/apps/contracts';
import { fileSize, formatNumber, type HttpProblem } from '@homeport/platform/web';
import { lacksStartPage } from '../deploy-messages';

/** The stage of a deploy that was started in this browser. */
export type DeployStage =
  | { readonly at: 'preparing'; readonly done: number; readonly total: number }
  | { readonly at: 'uploading'; readonly sent: number; readonly total: number }
  | { readonly at: 'processing' }
  /** The connection was lost after the last byte; the history tells whether the deploy arrived. */
  | { readonly at: 'verifying' }
  | {
      readonly at: 'done';
      readonly deploy: DeployDetails;
      readonly app: App;
    }
  | { readonly at: 'failed'; readonly problem: HttpProblem }
  | { readonly at: 'cancelled' };

export function isInProgress({ at }: DeployStage): boolean {
  return at === 'preparing' || at === 'uploading' || at === 'processing' || at === 'verifying';
}

/** An upload cannot be cancelled after its last byte was sent. */
export function canCancel({ at }: DeployStage): boolean {
  return at === 'preparing' || at === 'uploading';
}

/** Progress from 0 to 1; undefined when it cannot be measured. */
export function progressOf(stage: DeployStage): number | undefined {
  if (stage.at === 'preparing') return stage.done / stage.total;
  if (stage.at === 'uploading') return stage.sent / stage.total;
  return undefined;
}

export interface StageMessage {
  readonly title: string;
  readonly detail: string;
}

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
        title: $localize`Checking the upload…`,
        detail: $localize`The connection was lost after everything had been sent.`,
      };
    case 'done':
      return doneMessage(doneOutcome(stage, stage.app));
    case 'failed':
      return { title: stage.problem.title, detail: stage.problem.detail };
    case 'cancelled':
      return { title: $localize`Upload cancelled`, detail: $localize`The live version has not changed.` };
  }
}

/** While the API tests whether the server of the deploy starts. */
export function startingMessage(): StageMessage {
  return { title: $localize`Starting the server…`, detail: $localize`It goes live only after its first answer.` };
}

/**
 * What became of a deploy. `broken` is live and serves nothing at `/`; `held-back` would have been; `replaced` was live.
 */
export type DoneOutcome = 'live' | 'broken' | 'held-back' | 'ready' | 'replaced';

/** @param app the app in its current state. */
export function doneOutcome(
  { deploy, app }: Extract<DeployStage, { at: 'done' }>,
  { active_deploy_id: active }: Pick<App, 'active_deploy_id'>,
): DoneOutcome {
  if (active === deploy.id) return lacksStartPage(deploy.problems) ? 'broken' : 'live';
  if (app.active_deploy_id === deploy.id) return 'replaced';
  return deploy.held_back ? 'held-back' : 'ready';
}

export function doneMessage(outcome: DoneOutcome): StageMessage {
  switch (outcome) {
    case 'live':
      return { title: $localize`The deploy is live`, detail: $localize`People who open the app see this deploy now.` };
    case 'broken':
      return {
        title: $localize`The deploy is live, but has no start page`,
        detail: $localize`There is no index.html, so people who open the app see “Not found”.`,
      };
    case 'held-back':
      return {
        title: $localize`No index.html found. The deploy is not live.`,
        detail: $localize`People still see the previous deploy. With this one, they would see “Not found”.`,
      };
    case 'replaced':
      return { title: $localize`The deploy was live`, detail: $localize`People now see another deploy.` };
    case 'ready':
      return {
        title: $localize`The deploy is ready`,
        detail: $localize`Check the preview, then make it live when you are ready.`,
      };
  }
}

function preparedMessage(done: number, total: number): string {
  return total === 1
    ? $localize`${formatNumber(done)}:done: of 1 file`
    : $localize`${formatNumber(done)}:done: of ${formatNumber(total)}:total: files`;
}
