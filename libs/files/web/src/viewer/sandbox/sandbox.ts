import { DOCUMENT, inject, Service } from '@angular/core';
import { type Drawing, type DrawingRequest, parseSandboxResponse } from './sandbox-protocol';

const PAGE = '/sandbox/render.html';
/** The first drawing of a kind also loads its large library. */
const FIRST_DRAWING_MS = 30_000;
const NEXT_DRAWING_MS = 8_000;
/** The sandbox page reports that it is ready while it loads; without that, an error page was loaded instead. */
const READY_MS = 2_000;

interface Job {
  readonly id: number;
  readonly request: DrawingRequest;
  readonly done: (drawing: Drawing) => void;
  readonly failed: (error: Error) => void;
}

/**
 * Draws diagrams and formulas with large libraries that process untrusted text. They run in a frame with an opaque
 * origin, without access to this page or the network, and their responses are validated.
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

  /** Draws one request at a time. Rejects with a translated reason when drawing fails. */
  draw(request: DrawingRequest, signal: AbortSignal): Promise<Drawing> {
    return new Promise((done, failed) => {
      signal.throwIfAborted();
      this.#lastId += 1;
      const job: Job = { id: this.#lastId, request, done, failed };
      signal.addEventListener('abort', () => this.#cancel(job), { once: true });
      this.#queue.push(job);
      this.#next();
    });
  }

  #cancel(job: Job): void {
    const index = this.#queue.indexOf(job);
    if (index !== -1) this.#queue.splice(index, 1);
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
    this.#startTimer(FIRST_DRAWING_MS, $localize`The renderer could not be loaded.`);
    addEventListener('message', this.#receive);
    const frame = this.#document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.setAttribute('aria-hidden', 'true');
    frame.tabIndex = -1;
    frame.title = $localize`Drawing`;
    frame.src = PAGE;
    frame.addEventListener('load', () => {
      if (!this.#ready) this.#startTimer(READY_MS, $localize`The renderer could not be loaded.`);
    });
    // Moved off-screen instead of hidden: the frame needs a layout to measure drawings.
    frame.style.cssText =
      'position:fixed;top:0;left:-2000px;width:1200px;height:800px;border:0;opacity:0;pointer-events:none';
    this.#document.body.append(frame);
    this.#frame = frame;
  }

  #send(): void {
    const job = this.#current;
    if (!job) return;
    const time = this.#loaded.has(job.request.kind) ? NEXT_DRAWING_MS : FIRST_DRAWING_MS;
    this.#startTimer(time, $localize`Drawing took too long.`);
    // The opaque origin of the frame cannot be named as a target.
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
    else {
      const reason = 'fault' in answer ? answer.fault : $localize`The renderer sent an unexpected result.`;
      job.failed(new Error(reason));
    }
    this.#finish();
  };

  /** Limits the time of the current drawing; after that, it fails with the reason. */
  #startTimer(time: number, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#reset(reason), time);
  }

  /** Fails the current drawing and removes the frame, which stops its work. */
  #reset(reason: string): void {
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
