import { Clipboard } from '@angular/cdk/clipboard';
import {
  afterNextRender,
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  Injector,
  signal,
  viewChild,
} from '@angular/core';
import { RouterLink } from '@angular/router';
import { LOG_STREAMS, type LogStream } from '@homeport/apps/contracts';
import { EmptyState, ErrorPanel, Icon, Skeleton, StaleNotice, StatusBadge, Toasts } from '@homeport/platform/web';
import { Segmented } from '@homeport/platform/web/on-demand';
import { ShownApp } from '../app/shown-app';
import { AppLog } from './app-log';
import { blocksOf, filterLines, type LogBlock, plainText } from './log-blocks';
import { LogLines } from './log-lines';
import { lineCountMessage, lineDay, logStatus, newestMessage, streamLabel } from './log-messages';

/** Distance from the end that still counts as the end, in pixels. */
const END_PX = 24;

/** What the servers of an app write, live. */
@Component({
  selector: 'hp-logs-page',
  imports: [EmptyState, ErrorPanel, Icon, LogLines, RouterLink, Segmented, Skeleton, StaleNotice, StatusBadge],
  providers: [AppLog],
  templateUrl: './logs-page.html',
  styleUrl: './logs-page.css',
})
export class LogsPage {
  readonly #clipboard = inject(Clipboard);
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);
  protected readonly log = inject(AppLog);
  protected readonly app = inject(ShownApp).data.value;
  private readonly viewport = viewChild<ElementRef<HTMLElement>>('viewport');
  private readonly content = viewChild<ElementRef<HTMLElement>>('content');
  #scrollTop = 0;

  protected readonly streams = [
    { value: 'all', label: $localize`:log streams|:All` },
    ...LOG_STREAMS.map((value) => ({ value, label: streamLabel(value) })),
  ] as const;
  protected readonly linesLabel = $localize`Lines of the log`;
  protected readonly stream = signal<LogStream | 'all'>('all');
  protected readonly search = signal('');
  protected readonly status = computed(() => logStatus(this.log.connection(), this.log.isFollowing()));
  protected readonly shown = computed(() => {
    const stream = this.stream();
    return filterLines(this.log.window()?.lines ?? [], {
      stream: stream === 'all' ? undefined : stream,
      text: this.search(),
    });
  });
  #blocks: readonly LogBlock[] = [];
  protected readonly blocks = computed(() => (this.#blocks = blocksOf(this.shown(), this.#blocks)));
  /** The blocks that begin a day. */
  protected readonly days = computed(() => {
    let last = '';
    return new Map(
      this.blocks().flatMap(({ key, lines: [first] }) => {
        const day = first ? lineDay(new Date(first.at)) : last;
        const isNew = day !== last;
        last = day;
        return isNew ? [[key, day] as const] : [];
      }),
    );
  });
  protected readonly count = computed(() =>
    lineCountMessage(this.shown().length, this.log.window()?.lines.length ?? 0),
  );
  protected readonly olderWords = computed(() =>
    this.log.isLoadingOlder() ? $localize`Loading…` : $localize`Show older lines`,
  );
  protected readonly newestWords = computed(() => newestMessage(this.log.window()?.waitingCount ?? 0));
  /** Without each new line, which would keep screen readers speaking. */
  protected readonly announcement = computed(() => {
    const { words } = this.status();
    return this.search() === '' && this.stream() === 'all' ? words : `${words} ${this.count()}`;
  });

  constructor() {
    effect((onCleanup) => {
      const content = this.content()?.nativeElement;
      if (!content) return;
      const observer = new ResizeObserver(() => this.#stayAtEnd());
      observer.observe(content);
      onCleanup(() => observer.disconnect());
    });
  }

  /** Scrolling up pauses; scrolling to the end follows again. */
  protected scrolled({ scrollTop, scrollHeight, clientHeight }: HTMLElement): void {
    const isUp = scrollTop < this.#scrollTop;
    this.#scrollTop = scrollTop;
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= END_PX;
    if (isUp && !isAtEnd) this.log.pause();
    else if (isAtEnd && !this.log.isFollowing() && !this.log.window()?.isCut) this.log.follow();
  }

  protected follow(): void {
    this.log.follow();
    this.viewport()?.nativeElement.focus();
    afterNextRender(() => this.#stayAtEnd(), { injector: this.#injector });
  }

  /** Loads older lines and keeps the line in place that was the first. */
  protected async loadOlder(): Promise<void> {
    const first = this.viewport()?.nativeElement.querySelector('hp-log-lines');
    const before = first?.getBoundingClientRect().top ?? 0;
    await this.log.loadOlder();
    afterNextRender(
      () => {
        const moved = (first?.isConnected ? first.getBoundingClientRect().top : before) - before;
        this.viewport()?.nativeElement.scrollBy({ top: moved, behavior: 'instant' });
      },
      { injector: this.#injector },
    );
  }

  protected copy(): void {
    const lines = this.shown();
    if (lines.length === 0) return;
    const isCopied = this.#clipboard.copy(plainText(lines));
    this.#toasts.show(isCopied ? $localize`Copied: ${this.count()}:lines:.` : $localize`Copying failed.`);
  }

  #stayAtEnd(): void {
    const viewport = this.viewport()?.nativeElement;
    if (viewport && this.log.isFollowing()) viewport.scrollTop = viewport.scrollHeight;
  }
}
