import {
  afterNextRender,
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  Injector,
  input,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import type { App, Deploy, Hosting } from '@homeport/apps/contracts';
import {
  asHttpProblem,
  DropZone,
  ErrorPanel,
  exactTime,
  type HttpProblem,
  Icon,
  type PickedFile,
  pollWhile,
  type ScreenData,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { DeploysClient } from '../client/deploys-client';
import { restoreFocus } from '../shared/restore-focus';
import { scopedData } from '../shared/scoped-data';
import { deploySource } from './source/deploy-source';
import { SiteChooser } from './source/site-chooser';
import { isDeployInProgress } from './deploy-messages';
import { DeployDeleter } from './history/deploy-deleter';
import { deployHistory } from './history/deploy-history';
import { DeployRow } from './history/deploy-row';
import { LiveDeploy } from './live/live-deploy';
import { Rollbacks } from './live/rollbacks';
import { isInProgress } from './upload/deploy-stage';
import { DeployUploads } from './upload/deploy-uploads';
import { UploadCard } from './upload/upload-card';

/** The live deploy of an app, the upload form and the deploy history. */
@Component({
  selector: 'hp-deploys-section',
  imports: [DeployRow, DropZone, ErrorPanel, Icon, LiveDeploy, SiteChooser, Skeleton, StaleNotice, UploadCard],
  templateUrl: './deploys-section.html',
  styleUrl: './deploys-section.css',
})
export class DeploysSection {
  readonly app = input.required<App>();
  readonly hosting = input.required<ScreenData<Hosting>>();
  readonly changed = output<App>();
  /** The app has changed since it was loaded. */
  readonly outdated = output();

  readonly #client = inject(DeploysClient);
  readonly #deleter = inject(DeployDeleter);
  readonly #injector = inject(Injector);
  readonly #rollBacks = inject(Rollbacks);
  readonly #uploads = inject(DeployUploads);
  private readonly heading = viewChild.required<ElementRef<HTMLElement>>('heading');
  private readonly liveCard = viewChild(LiveDeploy);
  private readonly uploadCard = viewChild(UploadCard);
  readonly #id = computed(() => this.app().id);
  readonly #liveId = computed(() => this.app().active_deploy_id ?? undefined);

  protected readonly history = deployHistory(this.#id);
  protected readonly deploys = computed(() => this.history.value()?.deploys);
  protected readonly liveDetails = scopedData(this.#liveId, (id, signal) => this.#client.get(id, signal));
  protected readonly live = computed(
    () => this.liveDetails.value() ?? this.deploys()?.find(({ id }) => id === this.#liveId()),
  );
  protected readonly isFirst = computed(() => this.deploys()?.length === 0 && this.#liveId() === undefined);
  protected readonly upload = computed(() => this.#uploads.of(this.#id()));
  protected readonly isInProgress = computed(() => {
    const stage = this.upload()?.stage();
    return stage !== undefined && isInProgress(stage);
  });
  protected readonly limits = computed(() => this.hosting().value()?.deploy_limits);
  protected readonly activate = signal(true);
  protected readonly refusal = signal('');
  /** The deploy whose activation is in progress. */
  protected readonly activating = signal<Deploy | undefined>(undefined);
  protected readonly failed = signal<{ deploy: Deploy; problem: HttpProblem } | undefined>(undefined);
  /** The conflict that stopped a rollback: another deploy became live first. */
  protected readonly conflict = signal<HttpProblem | undefined>(undefined);
  protected readonly outcome = signal('');

  constructor() {
    const hasDeployInProgress = computed(() => this.deploys()?.some(isDeployInProgress) ?? false);
    pollWhile(this.history, hasDeployInProgress);
    restoreFocus(this.isInProgress, () => this.uploadCard());
    this.#onChange(hasDeployInProgress, (is, was) => {
      // A deploy of another user may be live now.
      if (was && !is) this.outdated.emit();
    });
    this.#onChange(
      () => ({ upload: this.upload(), stage: this.upload()?.stage() }),
      ({ upload, stage }, before) => {
        if (stage === undefined || upload !== before.upload || stage.at === before.stage?.at) return;
        if (stage.at === 'done') this.changed.emit(stage.app);
        if (stage.at !== 'uploading') this.history.reload();
      },
    );
  }

  protected async take(picked: readonly PickedFile[]): Promise<void> {
    this.refusal.set('');
    if (this.isInProgress()) return this.refusal.set($localize`One deploy at a time: wait for this one, or cancel it.`);
    const app = this.app();
    try {
      const source = await deploySource(picked, this.limits());
      if (source.kind === 'refused') this.refusal.set(source.reason);
      else this.#uploads.start(app, source, { activate: this.activate(), limits: this.limits() });
    } catch {
      this.refusal.set($localize`Your selection could not be read. Choose it again.`);
    }
  }

  protected dismiss(): void {
    this.#uploads.dismiss(this.#id());
    this.heading().nativeElement.focus();
  }

  protected async makeLive(deploy: Deploy): Promise<void> {
    if (this.activating()) return;
    this.activating.set(deploy);
    this.#clearMessages();
    try {
      this.#becameLive(await this.#client.activate(deploy.id));
    } catch (error) {
      this.failed.set({ deploy, problem: asHttpProblem(error) });
      this.history.reload();
    } finally {
      this.activating.set(undefined);
    }
  }

  protected async rollBack(): Promise<void> {
    const live = this.liveDetails.value();
    if (!live?.rolls_back_to) return;
    this.#clearMessages();
    try {
      const app = await this.#rollBacks.ask({ live, former: live.rolls_back_to });
      if (app) this.#becameLive(app);
    } catch (error) {
      this.conflict.set(asHttpProblem(error));
      this.#focusLive();
      this.outdated.emit();
      this.history.reload();
    }
  }

  protected async remove(deploy: Deploy): Promise<void> {
    this.#clearMessages();
    if (!(await this.#deleter.delete(deploy))) return this.history.reload();
    this.history.reload();
    this.liveDetails.reload();
    this.outcome.set($localize`Deleted the deploy of ${exactTime(new Date(deploy.created_at))}:time:.`);
    // The delete button is removed with its row, so the focus moves to the heading.
    this.heading().nativeElement.focus();
  }

  /** Clears the messages of the previous action. */
  #clearMessages(): void {
    this.failed.set(undefined);
    this.conflict.set(undefined);
    this.outcome.set('');
  }

  #becameLive(app: App): void {
    this.changed.emit(app);
    this.history.reload();
    const deploy = this.deploys()?.find(({ id }) => id === app.active_deploy_id);
    const time = deploy && exactTime(new Date(deploy.created_at));
    this.outcome.set(
      time ? $localize`The deploy of ${time}:time: is live now.` : $localize`Another deploy is live now.`,
    );
    this.#focusLive();
  }

  /** The button that had the focus is removed or now refers to another deploy. */
  #focusLive(): void {
    afterNextRender(() => this.liveCard()?.focus(), { injector: this.#injector });
  }

  /** Calls `changed` for each value except the first. */
  #onChange<T>(value: () => T, changed: (now: T, before: T) => void): void {
    let before: { readonly value: T } | undefined;
    effect(() => {
      const now = value();
      const last = before;
      before = { value: now };
      if (last) untracked(() => changed(now, last.value));
    });
  }
}
