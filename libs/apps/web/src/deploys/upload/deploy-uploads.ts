import { computed, effect, inject, Service, signal, untracked } from '@angular/core';
import type { App, DeployLimits } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import { Activities } from '@homeport/platform/web';
import { AppsClient } from '../../client/apps-client';
import { DeploysClient } from '../../client/deploys-client';
import type { SiteSource } from '../source/site-source';
import { isInProgress } from './deploy-stage';
import { DeployUpload } from './deploy-upload';

export interface DeployOptions {
  /** Whether the deploy becomes live when it is ready. */
  readonly activate: boolean;
  /** The note typed by the user; may be empty. */
  readonly note: string;
  /** Undefined while they are unknown. */
  readonly limits: DeployLimits | undefined;
}

interface ActiveUpload {
  readonly upload: DeployUpload;
  /** The id of its activity. */
  readonly activity: number;
}

/** The uploads started in this browser: the latest one of each app. */
@Service()
export class DeployUploads {
  readonly #apps = inject(AppsClient);
  readonly #deploys = inject(DeploysClient);
  readonly #activities = inject(Activities);
  readonly #session = inject(AuthSession);
  readonly #active = signal<ReadonlyMap<string, ActiveUpload>>(new Map());
  /** Number of uploads in progress. */
  readonly inProgressCount = computed(
    () => [...this.#active().values()].filter(({ upload }) => isInProgress(upload.stage())).length,
  );

  constructor() {
    effect(() => {
      if (this.#session.state() === 'signed-out') untracked(() => this.#abortAll());
    });
    effect(() => {
      // An upload dismissed in the activities panel is removed here too, which releases its files.
      const shown = new Set(this.#activities.list().map(({ id }) => id));
      const isShown = ([, { activity }]: [string, ActiveUpload]): boolean => shown.has(activity);
      this.#active.update((active) => ([...active].every(isShown) ? active : new Map([...active].filter(isShown))));
    });
  }

  of(appId: string): DeployUpload | undefined {
    return this.#active().get(appId)?.upload;
  }

  /** Starts an upload and dismisses the previous one of the app. */
  start(app: Pick<App, 'id' | 'name'>, source: SiteSource, options: DeployOptions): void {
    this.dismiss(app.id);
    const user = this.#session.user();
    const upload = new DeployUpload({
      ...{ app, source, ...options, apps: this.#apps, deploys: this.#deploys },
      authors: [user?.name, user?.sub],
    });
    const { id: activity } = this.#activities.add(upload.view);
    this.#active.update((active) => new Map([...active, [app.id, { upload, activity }]]));
    void upload.start();
  }

  dismiss(appId: string): void {
    const active = this.#active().get(appId);
    if (active) this.#activities.dismiss(active.activity);
  }

  /** Aborts all uploads when the user signs out. */
  #abortAll(): void {
    for (const { upload, activity } of this.#active().values()) {
      upload.abort();
      this.#activities.dismiss(activity);
    }
  }
}
