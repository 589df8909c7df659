import { Dialog, DialogRef } from '@angular/cdk/dialog';
import {
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  ElementRef,
  inject,
  type Injector,
  linkedSignal,
  signal,
  viewChild,
} from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { formatNumber } from '../format/number';
import { Key } from '../shortcuts/key';
import { Icon } from '../ui/icon/icon';
import { PaletteGroups } from './palette-groups';
import type { PaletteItem } from './palette-source';

const ENTRY_ID = 'palette-';

/** Ways and works by name: a field above a list that the arrow keys go through while the focus stays in the field. */
@Component({
  selector: 'hp-palette-dialog',
  imports: [Icon, Key],
  providers: [PaletteGroups],
  templateUrl: './palette-dialog.html',
  styleUrl: './palette-dialog.css',
  host: { '(click)': 'pick($event)', '(pointermove)': 'point($event)' },
})
export class PaletteDialog {
  readonly #dialog = inject<DialogRef<PaletteItem>>(DialogRef);
  private readonly list = viewChild<ElementRef<HTMLElement>>('list');
  protected readonly groups = inject(PaletteGroups);
  protected readonly query = signal('');
  /** The groups that have something, each entry with its place in the whole list. */
  protected readonly shown = computed(() => {
    let place = 0;
    return this.groups
      .all()
      .filter(({ items }) => items.length > 0)
      .map((group) => ({ ...group, items: group.items.map((item) => ({ item, place: place++ })) }));
  });
  readonly #items = computed(() => this.shown().flatMap(({ items }) => items.map(({ item }) => item)));
  /** The first entry again whenever the query changes. */
  protected readonly active = linkedSignal<string, number>({ source: this.query, computation: () => 0 });
  protected readonly isEmpty = computed(() => this.#items().length === 0 && !this.groups.isLoading());
  protected readonly found = computed(() => {
    if (this.groups.isLoading()) return '';
    const count = this.#items().length;
    return count === 1 ? $localize`1 match` : $localize`${formatNumber(count)}:count: matches`;
  });

  constructor() {
    this.groups.find('');
    inject(DestroyRef).onDestroy(() => this.groups.stop());
    afterRenderEffect(() => {
      const place = this.active();
      this.list()?.nativeElement.querySelector(`#${ENTRY_ID}${place}`)?.scrollIntoView({ block: 'nearest' });
    });
  }

  protected type(query: string): void {
    this.query.set(query);
    this.groups.find(query);
  }

  protected press(event: KeyboardEvent): void {
    const move = this.#moveFor(event.key);
    if (event.isComposing || (move === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    if (move === undefined) this.#choose(this.active());
    else this.active.set(move);
  }

  protected pick({ target }: Event): void {
    const place = indexOf(target);
    if (place !== undefined) this.#choose(place);
  }

  protected point({ target }: Event): void {
    const place = indexOf(target);
    if (place !== undefined) this.active.set(place);
  }

  #choose(place: number): void {
    const item = this.#items()[place];
    if (item) this.#dialog.close(item);
  }

  /** Where a key leads in the list; around at its ends. */
  #moveFor(key: string): number | undefined {
    const count = this.#items().length;
    if (count === 0) return undefined;
    if (key === 'ArrowDown') return (this.active() + 1) % count;
    if (key === 'ArrowUp') return (this.active() + count - 1) % count;
    if (key === 'PageDown') return Math.min(count - 1, this.active() + 8);
    if (key === 'PageUp') return Math.max(0, this.active() - 8);
    return undefined;
  }
}

/** The place in the list of what is under the pointer. */
function indexOf(target: EventTarget | null): number | undefined {
  const entry = target instanceof Element ? target.closest('[role="option"]') : null;
  return entry ? Number(entry.id.slice(ENTRY_ID.length)) : undefined;
}

/** Opens the palette, and answers what was chosen in it. */
export function openPaletteDialog(injector: Injector): Promise<PaletteItem | undefined> {
  const opened = injector.get(Dialog).open<PaletteItem>(PaletteDialog, {
    ariaLabel: $localize`Search`,
    ariaModal: true,
    panelClass: ['dialog-panel', 'palette-panel'],
    backdropClass: 'dialog-backdrop',
  });
  return firstValueFrom(opened.closed, { defaultValue: undefined });
}
