import { DOCUMENT, inject, Service, signal } from '@angular/core';

export const THEME_CHOICES = ['system', 'dark', 'light'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const STORAGE_KEY = 'homeport.theme';
const PAGE_COLORS = { dark: '#0a0a0a', light: '#fafafa' } as const;

/** The theme chosen on this device. The colors are CSS: `light-dark()` with `color-scheme`. */
@Service()
export class Theme {
  readonly #document = inject(DOCUMENT);
  readonly #choice = signal<ThemeChoice>(storedChoice());
  readonly choice = this.#choice.asReadonly();

  constructor() {
    this.#apply(this.#choice());
  }

  choose(choice: ThemeChoice): void {
    this.#choice.set(choice);
    this.#apply(choice);
    try {
      localStorage.setItem(STORAGE_KEY, choice);
    } catch {
      // Storage may be blocked (private windows, full disks): the choice then lasts until the page closes.
    }
  }

  #apply(choice: ThemeChoice): void {
    const root = this.#document.documentElement;
    if (choice === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = choice;
    for (const meta of this.#document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const own = meta.media.includes('light') ? 'light' : 'dark';
      meta.content = PAGE_COLORS[choice === 'system' ? own : choice];
    }
  }
}

function storedChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEME_CHOICES.find((choice) => choice === stored) ?? 'system';
  } catch {
    return 'system';
  }
}
