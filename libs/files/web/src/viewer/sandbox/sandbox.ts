import { DOCUMENT, inject, Service } from '@angular/core';
import { type Drawing, type DrawingRequest, parseSandboxResponse } from './sandbox-protocol';

const PAGE = '/sandbox/render.html';
/** The program behind the first drawing has to arrive too; it is large. */
const FIRST_MS = 30_000;
const NEXT_MS = 8_000;
/** The page says that it is there while it is loaded; what says nothing is not our page, but one about a failure. */
const SILENT_MS = 2_000;

interface Job {
  readonly id: number;
  readonly request: DrawingRequest;
  readonly done: (drawing: Drawing) => void;
  readonly failed: (error: Error) => void;
}

/**
 * Draws diagrams and formulas with programs that are large and read what anybody may have written. They run in a frame
 * without an origin: they reach neither this page nor the network, and what they answer is checked before it is shown.
 */
@Service()
export class Sandbox {
  readonly #document = inject(DOCUMENT);
  readonly #queue: Job[] = [];
  #frame: HTMLIFrameElement | undefined;
  #ready = false;
  #current: Job | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;
  #loaded = new Set<DrawingRequest['kind']>();

  /** One drawing at a time; rejects with the reason in words when it cannot be made. */
  draw(request: DrawingRequest, signal: AbortSignal): Promise<Drawing> {
    return new Promise((done, failed) => {
      signal.throwIfAborted();
      this.#lastId += 1;
      const job: Job = { id: this.#lastId, request, done, failed };
      signal.addEventListener('abort', () => this.#drop(job), { once: true });
      this.#queue.push(job);
      this.#next();
    });
  }

  #drop(job: Job): void {
    const place = this.#queue.indexOf(job);
    if (place !== -1) this.#queue.splice(place, 1);
  }

  #next(): void {
    if (this.#current) return;
    const job = this.#queue.shift();
    if (!job) return;
    this.#current = job;
    if (this.#ready) this.#send();
    else this.#open();
  }

  #open(): void {
    if (this.#frame) return;
    this.#allow(FIRST_MS, $localize`What draws it could not be loaded.`);
    addEventListener('message', this.#receive);
    const frame = this.#document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.setAttribute('aria-hidden', 'true');
    frame.tabIndex = -1;
    frame.title = $localize`Drawing`;
    frame.src = PAGE;
    frame.addEventListener('load', () => {
      if (!this.#ready) this.#allow(SILENT_MS, $localize`What draws it could not be loaded.`);
    });
    // It has to be laid out to measure what it draws, so it is out of sight instead of hidden.
    frame.style.cssText =
      'position:fixed;top:0;left:-2000px;width:1200px;height:800px;border:0;opacity:0;pointer-events:none';
    this.#document.body.append(frame);
    this.#frame = frame;
  }

  #send(): void {
    const job = this.#current;
    if (!job) return;
    const time = this.#loaded.has(job.request.kind) ? NEXT_MS : FIRST_MS;
    this.#allow(time, $localize`Drawing it takes too long.`);
    // The frame has no origin that could be named.
    this.#frame?.contentWindow?.postMessage({ id: job.id, ...job.request }, '*');
  }

  readonly #receive = (event: MessageEvent<unknown>): void => {
    if (!this.#frame || event.source !== this.#frame.contentWindow) return;
    if (event.data === 'ready') {
      this.#ready = true;
      this.#send();
      return;
    }
    const answer = parseSandboxResponse(event.data);
    const job = this.#current;
    if (!answer || !job || answer.id !== job.id) return;
    this.#loaded.add(job.request.kind);
    if ('drawing' in answer && answer.drawing.kind === job.request.kind) job.done(answer.drawing);
    else job.failed(new Error('fault' in answer ? answer.fault : $localize`It could not be drawn.`));
    this.#finish();
  };

  /** The time the current drawing has from now on, and what is said when it is over. */
  #allow(time: number, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(reason), time);
  }

  /** Whatever it is busy with ends with the frame. */
  #giveUp(reason: string): void {
    this.#current?.failed(new Error(reason));
    removeEventListener('message', this.#receive);
    this.#frame?.remove();
    this.#frame = undefined;
    this.#ready = false;
    this.#loaded = new Set();
    this.#finish();
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#current = undefined;
    this.#next();
  }
}
