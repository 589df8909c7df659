import { computed, effect, inject, Service, signal, untracked } from '@angular/core';
import type { App, DeployLimits } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import { Activities } from '@homeport/platform/web';
import { AppsClient } from '../../client/apps-client';
import { DeploysClient } from '../../client/deploys-client';
import type { DeploySource } from '../source/deploy-source';
import { isInProgress } from './deploy-stage';
import { DeployUpload } from './deploy-upload';

export interface DeployOptions {
  /** Whether it becomes live once it is ready. */
  readonly activate: boolean;
  /** Undefined while they are not known. */
  readonly limits: DeployLimits | undefined;
}

interface ActiveUpload {
  readonly upload: DeployUpload;
  /** Its place among everything that takes time. */
  readonly activity: number;
}

/** The deploys begun here, the last one of each app. */
@Service()
export class DeployUploads {
  readonly #apps = inject(AppsClient);
  readonly #deploys = inject(DeploysClient);
  readonly #activities = inject(Activities);
  readonly #session = inject(AuthSession);
  readonly #held = signal<ReadonlyMap<string, ActiveUpload>>(new Map());
  /** How many are under way. */
  readonly inProgressCount = computed(
    () => [...this.#held().values()].filter(({ upload }) => isInProgress(upload.stage())).length,
  );

  constructor() {
    effect(() => {
      if (this.#session.state() === 'signed-out') untracked(() => this.#drop());
    });
    effect(() => {
      // What is dismissed elsewhere is not shown here either, and its files are let go of.
      const shown = new Set(this.#activities.list().map(({ id }) => id));
      const isShown = ([, { activity }]: [string, ActiveUpload]): boolean => shown.has(activity);
      this.#held.update((held) => ([...held].every(isShown) ? held : new Map([...held].filter(isShown))));
    });
  }

  of(appId: string): DeployUpload | undefined {
    return this.#held().get(appId)?.upload;
  }

  /** Deploys; what is left of the one before is taken away. */
  start(app: Pick<App, 'id' | 'name'>, source: DeploySource, wish: DeployOptions): void {
    this.dismiss(app.id);
    const user = this.#session.user();
    const upload = new DeployUpload({
      ...{ app, source, ...wish, apps: this.#apps, deploys: this.#deploys },
      authors: [user?.name, user?.sub],
    });
    const { id: activity } = this.#activities.add(upload.view);
    this.#held.update((held) => new Map([...held, [app.id, { upload, activity }]]));
    void upload.start();
  }

  dismiss(appId: string): void {
    const held = this.#held().get(appId);
    if (held) this.#activities.dismiss(held.activity);
  }

  /** Nothing of somebody who has left goes on. */
  #drop(): void {
    for (const { upload, activity } of this.#held().values()) {
      upload.abort();
      this.#activities.dismiss(activity);
    }
  }
}
