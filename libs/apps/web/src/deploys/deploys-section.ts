import {
  afterNextRender,
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  Injector,
  input,
  linkedSignal,
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
import { reloadOnAppChange } from '../client/app-changes';
import { DeploysClient } from '../client/deploys-client';
import { restoreFocus } from '../shared/restore-focus';
import { scopedData } from '../shared/scoped-data';
import { deploySource } from './source/deploy-source';
import { SiteChooser } from './source/site-chooser';
import { isDeployInProgress, lacksStartPage } from './deploy-messages';
import { type DeployNumbers, deployNumbers } from './deploy-numbers';
import { DeployDeleter } from './history/deploy-deleter';
import { deployHistory } from './history/deploy-history';
import { DeployRow } from './history/deploy-row';
import { Activations } from './live/activations';
import { LiveDeploy } from './live/live-deploy';
import { liveHeadline } from './live/live-headline';
import { Rollbacks } from './live/rollbacks';
import { isInProgress } from './upload/deploy-stage';
import { DeployUploads } from './upload/deploy-uploads';
import { UploadCard } from './upload/upload-card';

/** What the status of an app tells about its live deploy. */
export interface LiveFacts {
  /** Undefined while it is unknown. */
  readonly number: number | undefined;
  /** RFC 3339. */
  readonly deployedAt: string;
  /** Whether it serves nothing at `/`. */
  readonly isBroken: boolean;
}

interface FailedActivation {
  readonly problem: HttpProblem;
  readonly retry: () => void;
}

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
  /** The live deploy; undefined while nothing is live or it is loading. */
  readonly shown = output<LiveFacts | undefined>();

  readonly #client = inject(DeploysClient);
  readonly #deleter = inject(DeployDeleter);
  readonly #injector = inject(Injector);
  readonly #activations = inject(Activations);
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
  protected readonly liveProblems = computed(() => this.liveDetails.value()?.problems ?? []);
  protected readonly liveTone = computed(() => liveHeadline(this.app(), lacksStartPage(this.liveProblems())).tone);
  /** Numbers do not change, so known ones stay while the app and the list are loaded again. */
  protected readonly numbers = linkedSignal<{ id: string; known: DeployNumbers }, DeployNumbers>({
    source: () => ({ id: this.#id(), known: deployNumbers(this.deploys() ?? [], this.app().deploy_count) }),
    computation: ({ id, known }, before) => new Map([...(before?.source.id === id ? before.value : []), ...known]),
  });
  protected readonly sourceNames = this.#uploads.sourceNames;
  readonly #liveFacts = computed((): LiveFacts | undefined => {
    const deploy = this.live();
    const number = this.numbers().get(deploy?.id ?? '');
    return deploy && { number, deployedAt: deploy.created_at, isBroken: lacksStartPage(this.liveProblems()) };
  });
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
      () => `${this.#id()} ${this.#liveId()} ${this.app().deploy_count}`,
      () => this.history.reload(),
    );
    effect(() => this.shown.emit(this.#liveFacts()));
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
