import { DestroyRef, inject, Injectable, signal } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { ActivatedRoute, type Params, Router } from '@angular/router';
import { debounceTime, Subject } from 'rxjs';
import { EMPTY_FORM, formOf, paramsOf, type UsageForm } from './usage-form';

/** Browsers refuse addresses that change too often, and a slider moves often. */
const URL_UPDATE_DELAY_MS = 300;

/**
 * The form, kept in the address of the page: a link shares it and a reload keeps it. Changes take the place of the
 * address, so that Back leaves the page; emptying the form is a step of its own, which Back takes back.
 */
@Injectable()
export class FormUrlState {
  readonly #router = inject(Router);
  readonly #route = inject(ActivatedRoute);
  readonly #form = signal<UsageForm>(EMPTY_FORM);
  readonly #changes = new Subject<void>();
  /** The form that the address holds. What is typed while an address is being changed must not be lost to it. */
  #urlKey = keyOf(EMPTY_FORM);
  #isAlive = true;
  readonly form = this.#form.asReadonly();

  constructor() {
    this.#route.queryParamMap.pipe(takeUntilDestroyed()).subscribe((query) => {
      const form = formOf(query);
      if (keyOf(form) === this.#urlKey) return;
      this.#urlKey = keyOf(form);
      this.#form.set(form);
    });
    this.#changes.pipe(debounceTime(URL_UPDATE_DELAY_MS), takeUntilDestroyed()).subscribe(() => void this.#write(true));
    inject(DestroyRef).onDestroy(() => (this.#isAlive = false));
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

  /** The whole address of the form as it is now. */
  address(): string {
    const tree = this.#router.createUrlTree([], { relativeTo: this.#route, queryParams: paramsOf(this.#form()) });
    return new URL(this.#router.serializeUrl(tree), location.origin).href;
  }

  async #write(replaceUrl: boolean): Promise<void> {
    const form = this.#form();
    if (!this.#isAlive || keyOf(form) === this.#urlKey) return;
    // To another page, which must not be held up; or the change before this one, which will be through in a moment.
    if (this.#router.currentNavigation()) return this.#changes.next();
    const gone = Object.keys(paramsOf(formOf(this.#route.snapshot.queryParamMap))).map((name) => [name, null]);
    const queryParams: Params = { ...Object.fromEntries(gone), ...paramsOf(form) };
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
