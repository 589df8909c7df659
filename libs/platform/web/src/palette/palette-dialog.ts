import { Dialog, DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
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
import type { EarlyTyping } from './early-typing';
import { PaletteGroups } from './palette-groups';
import type { PaletteItem } from './palette-source';

const ENTRY_ID = 'palette-';

/** An option of the list: a result, or the option that shows more results of its group. */
interface Option {
  readonly index: number;
  readonly item: PaletteItem;
  /** The group of which the option shows more results. */
  readonly moreOf?: number;
}

/** Search field and result list; arrow keys move the selection while the focus stays in the field. */
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
  readonly #typing = inject<EarlyTyping>(DIALOG_DATA);
  private readonly list = viewChild<ElementRef<HTMLElement>>('list');
  protected readonly groups = inject(PaletteGroups);
  protected readonly query = signal('');
  /** Groups with results; each option has its index in the whole list. */
  protected readonly shown = computed(() => {
    let index = 0;
    const groups = this.groups.all().filter(({ items }) => items.length > 0);
    return groups.map(({ id, heading, items, hasMore }) => {
      const options: Option[] = items.map((item) => ({ item, index: index++ }));
      if (hasMore) options.push({ item: moreItem(id), index: index++, moreOf: id });
      return { id, heading, options };
    });
  });
  readonly #options = computed(() => this.shown().flatMap(({ options }) => options));
  /** Index of the selected entry; a new query selects the first one. */
  protected readonly active = linkedSignal<string, number>({ source: this.query, computation: () => 0 });
  protected readonly isEmpty = computed(() => this.#options().length === 0 && !this.groups.isLoading());
  protected readonly found = computed(() => {
    if (this.groups.isLoading()) return '';
    const count = this.groups.all().reduce((sum, { items }) => sum + items.length, 0);
    if (this.groups.all().some(({ hasMore }) => hasMore))
      return $localize`More than ${formatNumber(count)}:count: matches`;
    return count === 1 ? $localize`1 match` : $localize`${formatNumber(count)}:count: matches`;
  });

  constructor() {
    this.groups.find('');
    inject(DestroyRef).onDestroy(() => this.groups.stop());
    afterRenderEffect(() => {
      const index = this.active();
      this.list()?.nativeElement.querySelector(`#${ENTRY_ID}${index}`)?.scrollIntoView({ block: 'nearest' });
    });
  }

  /** Adds what was typed before the field had the focus. */
  protected receiveFocus(field: HTMLInputElement): void {
    const early = this.#typing.take();
    if (early === '') return;
    field.value = early;
    this.type(early);
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
    const index = indexOf(target);
    if (index !== undefined) this.#choose(index);
  }

  protected point({ target }: Event): void {
    const index = indexOf(target);
    if (index !== undefined) this.active.set(index);
  }

  #choose(index: number): void {
    const option = this.#options()[index];
    if (option?.moreOf !== undefined) this.groups.showMore(option.moreOf);
    else if (option) this.#dialog.close(option.item);
  }

  /** The index selected by a key; up and down wrap around. */
  #moveFor(key: string): number | undefined {
    const count = this.#options().length;
    if (count === 0) return undefined;
    if (key === 'ArrowDown') return (this.active() + 1) % count;
    if (key === 'ArrowUp') return (this.active() + count - 1) % count;
    if (key === 'PageDown') return Math.min(count - 1, this.active() + 8);
    if (key === 'PageUp') return Math.max(0, this.active() - 8);
    return undefined;
  }
}

/** Stands in its group, whose heading says more of what. */
function moreItem(group: number): PaletteItem {
  return { id: `more:${group}`, label: $localize`Show more`, icon: 'chevron-down' };
}

/** Index of the entry under the pointer. */
function indexOf(target: EventTarget | null): number | undefined {
  const entry = target instanceof Element ? target.closest('[role="option"]') : null;
  return entry ? Number(entry.id.slice(ENTRY_ID.length)) : undefined;
}

/** Opens the palette and returns the chosen item. @param typing what is typed until the field has the focus. */
export function openPaletteDialog(injector: Injector, typing: EarlyTyping): Promise<PaletteItem | undefined> {
  const opened = injector.get(Dialog).open<PaletteItem, EarlyTyping>(PaletteDialog, {
    data: typing,
    ariaLabel: $localize`Search`,
    ariaModal: true,
    panelClass: ['dialog-panel', 'palette-panel'],
    backdropClass: 'dialog-backdrop',
  });
  return firstValueFrom(opened.closed, { defaultValue: undefined });
}
