import { HttpClient } from '@angular/common/http';
import { computed, DOCUMENT, effect, inject, Service, signal, untracked } from '@angular/core';
import type { LogLine } from '@homeport/apps/contracts';
import { asHttpProblem, type HttpProblem } from '@homeport/platform/web';
import { ShownApp } from '../app/shown-app';
import { EventConnection } from '../client/event-connection';
import { LOG_PAGE_SIZE, logPath, RuntimeClient } from '../client/runtime-client';
import { scopedData } from '../shared/scoped-data';
import { appendLines, type LogWindow, openWindow, prependLines, showWaiting } from './log-window';

/** The log of the shown app: its last lines, the older ones that were asked for, and new ones as they are written. */
@Service({ autoProvided: false })
export class AppLog {
  readonly #http = inject(HttpClient);
  readonly #document = inject(DOCUMENT);
  readonly #client = inject(RuntimeClient);
  readonly #app = inject(ShownApp);
  /** SSR apps alone have a log. */
  readonly #id = computed(() => (this.#app.data.value()?.type === 'ssr' ? this.#app.id() : undefined));
  readonly #connection = signal<EventConnection | undefined>(undefined);
  readonly #window = signal<LogWindow | undefined>(undefined);

  /** The last lines. Reading them again starts a new window. */
  readonly end = scopedData(this.#id, (id, signal) => this.#client.lines(id, undefined, signal));
  /** Undefined until the first lines are loaded. */
  readonly window = this.#window.asReadonly();
  readonly connection = computed(() => this.#connection()?.state() ?? 'closed');
  /** Whether new lines are shown at once. */
  readonly isFollowing = signal(true);
  readonly isLoadingOlder = signal(false);
  readonly olderProblem = signal<HttpProblem | undefined>(undefined);

  constructor() {
    effect((onCleanup) => {
      const id = this.#id();
      const lines = this.end.value();
      if (id === undefined || lines === undefined) return;
      const connection = untracked(() => this.#open(id, lines));
      onCleanup(() => connection.close());
    });
  }

  pause(): void {
    this.isFollowing.set(false);
  }

  /** Shows the newest lines. */
  follow(): void {
    this.isFollowing.set(true);
    const window = this.#window();
    if (window?.isCut) this.end.reload();
    else if (window) this.#window.set(showWaiting(window));
  }

  /** Loads one page of older lines, after which the view no longer follows. */
  async loadOlder(): Promise<void> {
    const id = this.#id();
    const first = this.#window()?.lines[0]?.id;
    if (id === undefined || first === undefined || this.isLoadingOlder()) return;
    this.pause();
    this.isLoadingOlder.set(true);
    this.olderProblem.set(undefined);
    try {
      const older = await this.#client.lines(id, first);
      // The window may have been opened again.
      this.#window.update((window) =>
        window?.lines[0]?.id === first ? prependLines(window, older, older.length === LOG_PAGE_SIZE) : window,
      );
    } catch (error) {
      this.olderProblem.set(asHttpProblem(error));
    } finally {
      this.isLoadingOlder.set(false);
    }
  }

  #open(id: string, lines: readonly LogLine[]): EventConnection {
    this.isFollowing.set(true);
    this.#window.set(openWindow(lines, lines.length === LOG_PAGE_SIZE));
    const lastEventId = lines.at(-1)?.id;
    const connection = new EventConnection({
      http: this.#http,
      document: this.#document,
      path: logPath(id),
      delayMs: 0,
      ...(lastEventId !== undefined && { lastEventId }),
      onEvents: (events) => this.#receive(events.map(({ data }) => JSON.parse(data) as LogLine)),
    });
    connection.setWanted(true);
    this.#connection.set(connection);
    return connection;
  }

  #receive(lines: readonly LogLine[]): void {
    this.#window.update((window) => window && appendLines(window, lines, this.isFollowing()));
  }
}
