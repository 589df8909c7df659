import {
  type HttpClient,
  type HttpDownloadProgressEvent,
  HttpErrorResponse,
  HttpEventType,
} from '@angular/common/http';
import { signal } from '@angular/core';
import { HttpProblem, pollDelayMs } from '@homeport/platform/web';
import { fromEvent, type Subscription } from 'rxjs';
import { EventBlocks, type ServerEvent } from './event-blocks';

/** `waiting` after a failure, until the next attempt; `refused` when another attempt would change nothing. */
export type EventConnectionState = 'closed' | 'connecting' | 'open' | 'waiting' | 'refused';

export interface EventConnectionOptions {
  readonly http: HttpClient;
  readonly document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
  readonly path: string;
  /** Before the first attempt, in milliseconds. */
  readonly delayMs: number;
  /** The id of the event after which the first stream starts. */
  readonly lastEventId?: string;
  readonly onEvents: (events: readonly ServerEvent[]) => void;
}

/**
 * Keeps a stream of server-sent events open while it is wanted and the tab is visible: browsers limit the connections
 * to a server. A new stream continues after the last event that has an id.
 */
export class EventConnection {
  readonly #options: EventConnectionOptions;
  readonly #visibility: Subscription;
  readonly #state = signal<EventConnectionState>('closed');
  readonly state = this.#state.asReadonly();
  #connection: Subscription | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isWanted = false;
  #lastEventId: string | undefined;

  constructor(options: EventConnectionOptions) {
    this.#options = options;
    this.#lastEventId = options.lastEventId;
    const { document } = options;
    this.#visibility = fromEvent(document as Document, 'visibilitychange').subscribe(() => this.#update());
  }

  setWanted(isWanted: boolean): void {
    this.#isWanted = isWanted;
    this.#update();
  }

  /** Ends the stream and starts no other one. */
  close(): void {
    this.#visibility.unsubscribe();
    this.setWanted(false);
  }

  #update(): void {
    const isRefused = this.#state() === 'refused';
    if (!this.#isWanted || this.#options.document.visibilityState !== 'visible') this.#disconnect();
    else if (!isRefused && !this.#connection && this.#timer === undefined) this.#connectAfter(this.#options.delayMs);
  }

  #connectAfter(delayMs: number): void {
    if (this.#state() === 'closed') this.#state.set('connecting');
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#connect();
    }, delayMs);
  }

  #disconnect(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#connection?.unsubscribe();
    this.#connection = undefined;
    if (this.#state() !== 'refused') this.#state.set('closed');
  }

  #connect(): void {
    const blocks = new EventBlocks();
    const lastEventId = this.#lastEventId;
    this.#connection = this.#options.http
      .get(this.#options.path, {
        headers: { Accept: 'text/event-stream', ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) },
        observe: 'events',
        reportProgress: true,
        responseType: 'text',
      })
      .subscribe({
        next: (event) => {
          if (event.type !== HttpEventType.DownloadProgress) return;
          this.#receive(blocks.next((event as HttpDownloadProgressEvent).partialText ?? ''));
        },
        error: (error: unknown) => this.#ended(error),
        complete: () => this.#ended(undefined),
      });
  }

  #receive(events: readonly ServerEvent[]): void {
    this.#failures = 0;
    this.#state.set('open');
    this.#lastEventId = events.findLast(({ id }) => id !== undefined)?.id ?? this.#lastEventId;
    if (events.length > 0) this.#options.onEvents(events);
  }

  /** Streams end regularly, which is no failure. */
  #ended(error: unknown): void {
    this.#connection = undefined;
    if (error !== undefined) {
      this.#failures += 1;
      this.#state.set(isRefusal(error) ? 'refused' : 'waiting');
    }
    if (this.#isWanted && this.#state() !== 'refused') this.#connectAfter(pollDelayMs(this.#failures));
  }
}

function isRefusal(error: unknown): boolean {
  const status = error instanceof HttpProblem || error instanceof HttpErrorResponse ? error.status : 0;
  return status >= 400 && status < 500 && status !== 429;
}
