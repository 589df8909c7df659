import {
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  effect,
  ElementRef,
  inject,
  input,
  signal,
  viewChild,
} from '@angular/core';
import { formatPercent, Icon } from '@homeport/platform/web';
import type { ShownFile } from '../shown-file';
import { pictureType } from './picture-type';
import { MAX_ZOOM, MIN_ZOOM, nextZoom } from './zoom-steps';

/** Shows a picture, fitted to the page or zoomed. */
@Component({
  selector: 'hp-picture-view',
  imports: [Icon],
  templateUrl: './picture-view.html',
  styleUrl: './picture-view.css',
})
export class PictureView {
  readonly file = input.required<ShownFile>();
  protected readonly address = signal<string | undefined>(undefined);
  protected readonly size = signal<string | undefined>(undefined);
  protected readonly broken = signal(false);
  /** Relative to the actual size; undefined fits the picture to the page. */
  protected readonly zoom = signal<number | undefined>(undefined);
  /** In pixels; 0 when the picture has no size or is still loading. */
  protected readonly naturalWidth = signal(0);
  readonly #fitted = signal(1);
  readonly #shown = computed(() => this.zoom() ?? this.#fitted());
  protected readonly percent = computed(() => formatPercent(this.#shown()));
  protected readonly canShrink = computed(() => this.#shown() > MIN_ZOOM);
  protected readonly canGrow = computed(() => this.#shown() < MAX_ZOOM);
  protected readonly width = computed(() => {
    const zoom = this.zoom();
    return zoom === undefined ? undefined : this.naturalWidth() * zoom;
  });
  readonly #blob = computed(() => {
    const { name, facts, bytes } = this.file();
    // With a picture type, the browser treats the content as a picture and nothing else.
    return new Blob(bytes ? [bytes] : [], { type: pictureType(name, facts.contentType) ?? '' });
  });
  private readonly ground = viewChild<ElementRef<HTMLElement>>('ground');
  private readonly picture = viewChild<ElementRef<HTMLImageElement>>('picture');

  constructor() {
    effect((onCleanup) => {
      const address = URL.createObjectURL(this.#blob());
      this.address.set(address);
      this.broken.set(false);
      this.size.set(undefined);
      this.zoom.set(undefined);
      this.naturalWidth.set(0);
      onCleanup(() => URL.revokeObjectURL(address));
    });
    afterRenderEffect({
      read: (onCleanup) => {
        const picture = this.picture()?.nativeElement;
        if (!picture) return;
        const observer = new ResizeObserver(() => {
          if (this.zoom() === undefined) this.#fitted.set(this.#fittedZoom(picture));
        });
        observer.observe(picture);
        onCleanup(() => observer.disconnect());
      },
    });
    inject(DestroyRef).onDestroy(() => this.address.set(undefined));
  }

  protected measure(event: Event): void {
    const picture = event.target as HTMLImageElement;
    const { naturalWidth: width, naturalHeight: height } = picture;
    // An SVG without an intrinsic size has no pixel size to show.
    if (width <= 0) return;
    this.size.set($localize`${width}:width: × ${height}:height: pixels`);
    this.naturalWidth.set(width);
    this.#fitted.set(this.#fittedZoom(picture));
  }

  protected step(by: 1 | -1): void {
    if (by === 1 ? this.canGrow() : this.canShrink()) this.#zoomTo(nextZoom(this.#shown(), by));
  }

  protected toggleActual(): void {
    this.#zoomTo(this.zoom() === 1 ? undefined : 1);
  }

  protected press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') this.step(1);
    else if (event.key === '-') this.step(-1);
    else if (event.key === '0') this.#zoomTo(undefined);
    else return;
    event.preventDefault();
  }

  /** Ctrl and the wheel, which is also how browsers report a pinch on a touchpad. */
  protected turn(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const zoom = this.#shown() * Math.exp(-event.deltaY / 300);
    this.#zoomTo(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom)));
  }

  /** The middle of the visible part stays in the middle. */
  #zoomTo(zoom: number | undefined): void {
    const ground = this.ground()?.nativeElement;
    if (!ground || this.naturalWidth() === 0) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = ground;
    const [x, y] = [(scrollLeft + clientWidth / 2) / scrollWidth, (scrollTop + clientHeight / 2) / scrollHeight];
    this.zoom.set(zoom);
    requestAnimationFrame(() =>
      ground.scrollTo(x * ground.scrollWidth - clientWidth / 2, y * ground.scrollHeight - clientHeight / 2),
    );
  }

  #fittedZoom({ clientWidth, naturalWidth }: HTMLImageElement): number {
    return naturalWidth > 0 && clientWidth > 0 ? clientWidth / naturalWidth : 1;
  }
}
