import { OverlayContainer } from '@angular/cdk/overlay';
import {
  afterNextRender,
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  Injector,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import type { App, Deploy } from '@homeport/apps/contracts';
import {
  asHttpProblem,
  ErrorPanel,
  type HttpProblem,
  Icon,
  type PickedFile,
  pollWhile,
  Skeleton,
  StaleNotice,
} from '@homeport/platform/web';
import { ShownApp } from '../app/shown-app';
import { reloadOnAppChange } from '../client/reload-on-change';
import { DeploysClient } from '../client/deploys-client';
import { InlineOverlayContainer } from '../shared/inline-overlay-container';
import { restoreFocus } from '../shared/restore-focus';
import { appStatus } from '../shared/app-status';
import { scopedData } from '../shared/scoped-data';
import { isDeployInProgress, numberOf } from './deploy-messages';
import { AliasRemover } from './history/alias-remover';
import { DeployDeleter } from './history/deploy-deleter';
import { deployHistory } from './history/deploy-history';
import { DeployRow } from './history/deploy-row';
import { Activations } from './live/activations';
import { LiveDeploy } from './live/live-deploy';
import { Rollbacks } from './live/rollbacks';
import { ServerCard } from '../runtime/server-card';
import { SiteChooser } from './source/site-chooser';
import { isInProgress } from './upload/deploy-stage';
import { DeployStarter } from './upload/deploy-starter';
import { DeployUploads } from './upload/deploy-uploads';
import { UploadCard } from './upload/upload-card';

interface FailedActivation {
  readonly problem: HttpProblem;
  readonly retry: () => void;
}

/** The live deploy of an app and the table of its deploys. */
@Component({
  selector: 'hp-app-overview',
  imports: [DeployRow, ErrorPanel, Icon, LiveDeploy, ServerCard, SiteChooser, Skeleton, StaleNotice, UploadCard],
  providers: [{ provide: OverlayContainer, useClass: InlineOverlayContainer }],
  templateUrl: './app-overview.html',
  styleUrl: './app-overview.css',
})
export class AppOverview {
  readonly #shown = inject(ShownApp);
  readonly #client = inject(DeploysClient);
  readonly #deleter = inject(DeployDeleter);
  readonly #aliasRemover = inject(AliasRemover);
  readonly #starter = inject(DeployStarter);
  readonly #injector = inject(Injector);
  readonly #activations = inject(Activations);
  readonly #rollBacks = inject(Rollbacks);
  readonly #uploads = inject(DeployUploads);
  private readonly heading = viewChild<ElementRef<HTMLElement>>('heading');
  private readonly liveCard = viewChild(LiveDeploy);
  private readonly uploadCard = viewChild(UploadCard);
  protected readonly app = this.#shown.data.value;
  readonly #id = this.#shown.id;
  readonly #liveId = computed(() => this.app()?.active_deploy_id ?? undefined);

  protected readonly history = deployHistory(this.#id);
  protected readonly deploys = computed(() => this.history.value()?.deploys);
  /** The deploys without the one that the running upload shows already. */
  protected readonly listed = computed(() => {
    const upload = this.upload();
    return (this.deploys() ?? []).filter((deploy) => !upload?.shows(deploy));
  });
  /** Whether the server of the running upload is starting. */
  protected readonly isStarting = computed(() => {
    const upload = this.upload();
    return this.deploys()?.some((deploy) => deploy.status === 'starting' && upload?.shows(deploy)) ?? false;
  });
  protected readonly liveDetails = scopedData(this.#liveId, (id, signal) => this.#client.get(id, signal));
  protected readonly live = computed(
    () => this.liveDetails.value() ?? this.deploys()?.find(({ id }) => id === this.#liveId()),
  );
  protected readonly former = computed(() => this.liveDetails.value()?.rolls_back_to);
  protected readonly liveProblems = computed(() => this.liveDetails.value()?.problems ?? []);
  protected readonly liveTone = computed(() => {
    const app = this.app();
    return app && appStatus(app).tone;
  });
  protected readonly isFirst = computed(() => this.deploys()?.length === 0 && this.#liveId() === undefined);
  protected readonly upload = computed(() => this.#uploads.of(this.#id()));
  protected readonly isInProgress = computed(() => {
    const stage = this.upload()?.stage();
    return stage !== undefined && isInProgress(stage);
  });
  protected readonly limits = computed(() => this.#shown.hosting.value()?.deploy_limits);
  protected readonly refusal = signal('');
  /** The deploy whose activation is in progress. */
  protected readonly activating = signal<Deploy | undefined>(undefined);
  protected readonly failed = signal<FailedActivation | undefined>(undefined);
  /** The conflict that stopped a rollback: another deploy became live first. */
  protected readonly conflict = signal<HttpProblem | undefined>(undefined);
  protected readonly outcome = signal('');

  constructor() {
    const hasDeployInProgress = computed(() => this.deploys()?.some(isDeployInProgress) ?? false);
    pollWhile(this.history, hasDeployInProgress);
    reloadOnAppChange(
      () => this.history.reload(),
      (id) => id === this.#id(),
    );
    // Another user, or another tab, may have changed the app.
    this.#onChange(
      () => `${this.#id()} ${this.#liveId()} ${this.app()?.deploy_count}`,
      () => this.history.reload(),
    );
    restoreFocus(this.isInProgress, () => this.uploadCard());
    this.#onChange(hasDeployInProgress, (is, was) => {
      // A deploy of another user may be live now.
      if (was && !is) this.#shown.data.reload();
    });
    this.#onChange(
      () => ({ upload: this.upload(), stage: this.upload()?.stage() }),
      ({ upload, stage }, before) => {
        if (stage === undefined || upload !== before.upload || stage.at === before.stage?.at) return;
        if (stage.at === 'done') this.#shown.changed(stage.app);
        if (stage.at !== 'uploading') this.history.reload();
      },
    );
  }

  /** Deploys the first site. */
  protected async take(app: App, picked: readonly PickedFile[]): Promise<void> {
    this.refusal.set('');
    const options = { activate: true, note: '', limits: this.limits() };
    this.refusal.set((await this.#starter.start(app, picked, options)) ?? '');
  }

  protected dismiss(): void {
    this.#uploads.dismiss(this.#id());
    this.#focusHeading();
  }

  /** Makes a deploy live after a confirmation. */
  protected makeLive(deploy: Deploy): Promise<void> {
    return this.#activate(deploy, async () =>
      this.#activations.ask(await this.#client.get(deploy.id), this.#liveId() !== undefined),
    );
  }

  /** Makes a deploy live whose problems the user has just seen. */
  protected goLive(deploy: Deploy): Promise<void> {
    return this.#activate(deploy, () => this.#client.activate(deploy.id));
  }

  async #activate(deploy: Deploy, run: () => Promise<App | undefined>): Promise<void> {
    if (this.activating()) return;
    this.activating.set(deploy);
    this.#clearMessages();
    try {
      const app = await run();
      if (app) this.#becameLive(app);
    } catch (error) {
      this.failed.set({ problem: asHttpProblem(error), retry: () => void this.#activate(deploy, run) });
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
      const former = await this.#client.get(live.rolls_back_to.id);
      const app = await this.#rollBacks.ask({ live, former });
      if (app) this.#becameLive(app);
    } catch (error) {
      this.conflict.set(asHttpProblem(error));
      this.#focusLive();
      this.#shown.data.reload();
      this.history.reload();
    }
  }

  protected async remove(deploy: Deploy): Promise<void> {
    this.#clearMessages();
    if (!(await this.#deleter.delete(deploy))) return this.history.reload();
    this.history.reload();
    this.liveDetails.reload();
    this.outcome.set($localize`Deleted ${numberOf(deploy)}:number:.`);
    // The menu button is removed with its row, so the focus moves to the heading.
    this.#focusHeading();
  }

  protected async removeAlias(deploy: Deploy): Promise<void> {
    this.#clearMessages();
    if (!(await this.#aliasRemover.remove(deploy))) return;
    this.history.reload();
    this.liveDetails.reload();
    this.outcome.set($localize`Removed the address of ${deploy.source?.branch ?? ''}:branch:.`);
  }

  /** Clears the messages of the previous action. */
  #clearMessages(): void {
    this.failed.set(undefined);
    this.conflict.set(undefined);
    this.outcome.set('');
  }

  #becameLive(app: App): void {
    this.#shown.changed(app);
    const { active_deploy: deploy } = app;
    this.outcome.set(
      deploy ? $localize`${numberOf(deploy)}:number: is live now.` : $localize`Another deploy is live now.`,
    );
    this.#focusLive();
  }

  /** The button that had the focus is removed or now refers to another deploy. */
  #focusLive(): void {
    afterNextRender(() => this.liveCard()?.focus(), { injector: this.#injector });
  }

  #focusHeading(): void {
    this.heading()?.nativeElement.focus();
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
