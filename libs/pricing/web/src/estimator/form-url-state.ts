import { DestroyRef, inject, Injectable, signal } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { ActivatedRoute, type Params, Router } from '@angular/router';
import { debounceTime, Subject } from 'rxjs';
import { EMPTY_FORM, formOf, paramsOf, type UsageForm } from './usage-form';

/** Browsers limit the rate of URL changes, and a slider emits many changes. */
const URL_UPDATE_DELAY_MS = 300;

/**
 * Keeps the form state in the URL, so links and reloads restore it. Changes replace the history entry, so Back leaves
 * the page. A reset adds an entry, so Back undoes it.
 */
@Injectable()
export class FormUrlState {
  readonly #router = inject(Router);
  readonly #route = inject(ActivatedRoute);
  readonly #form = signal<UsageForm>(EMPTY_FORM);
  readonly #changes = new Subject<void>();
  /** The form in the URL. Only a different URL replaces the form, so input during a navigation is not lost. */
  #urlKey = keyOf(EMPTY_FORM);
  #isActive = true;
  readonly form = this.#form.asReadonly();

  constructor() {
    this.#route.queryParamMap.pipe(takeUntilDestroyed()).subscribe((query) => {
      const form = formOf(query);
      if (keyOf(form) === this.#urlKey) return;
      this.#urlKey = keyOf(form);
      this.#form.set(form);
    });
    this.#changes.pipe(debounceTime(URL_UPDATE_DELAY_MS), takeUntilDestroyed()).subscribe(() => void this.#write(true));
    inject(DestroyRef).onDestroy(() => (this.#isActive = false));
  }

  change(change: (form: UsageForm) => UsageForm): void {
    this.#form.update(change);
    this.#changes.next();
  }

  async reset(): Promise<void> {
    await this.#write(true);
    this.#form.set(EMPTY_FORM);
    await this.#write(false);
  }

  /** The absolute URL of the current form. */
  address(): string {
    const tree = this.#router.createUrlTree([], { relativeTo: this.#route, queryParams: paramsOf(this.#form()) });
    return new URL(this.#router.serializeUrl(tree), location.origin).href;
  }

  async #write(replaceUrl: boolean): Promise<void> {
    const form = this.#form();
    if (!this.#isActive || keyOf(form) === this.#urlKey) return;
    // Do not interrupt a navigation to another page or a previous URL update; try again later.
    if (this.#router.currentNavigation()) return this.#changes.next();
    const removedParams = Object.keys(paramsOf(formOf(this.#route.snapshot.queryParamMap))).map((name) => [name, null]);
    const queryParams: Params = { ...Object.fromEntries(removedParams), ...paramsOf(form) };
    this.#urlKey = keyOf(form);
    await this.#router.navigate([], {
      relativeTo: this.#route,
      queryParams,
      queryParamsHandling: 'merge',
      replaceUrl,
      scroll: 'manual',
    });
  }
}

function keyOf(form: UsageForm): string {
  return JSON.stringify(Object.entries(paramsOf(form)).sort(([one], [other]) => (one < other ? -1 : 1)));
}
