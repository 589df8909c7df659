import { DOCUMENT, inject, Service, signal } from '@angular/core';
import { Toasts } from '@homeport/platform/web';
import { needsManualInstall } from './ios-install';

/** Fired by Chromium when the app can be installed; missing in TypeScript's DOM library. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

const HINT_KEY = 'homeport.home-screen-hint';

/** Installs the app on the device, where the browser supports it. */
@Service()
export class Installation {
  readonly #window = inject(DOCUMENT).defaultView;
  readonly #toasts = inject(Toasts);
  readonly #prompt = signal<BeforeInstallPromptEvent | undefined>(undefined);
  /** Whether the browser offers an installation prompt. */
  readonly isOffered = () => this.#prompt() !== undefined;

  constructor() {
    this.#window?.addEventListener('beforeinstallprompt', (event) => {
      // The account menu offers the installation instead of an interrupting prompt.
      event.preventDefault();
      this.#prompt.set(event as BeforeInstallPromptEvent);
    });
    this.#window?.addEventListener('appinstalled', () => this.#prompt.set(undefined));
  }

  /** Shows the browser's prompt. A prompt can be shown only once; the browser fires a new event later. */
  async showPrompt(): Promise<void> {
    const prompt = this.#prompt();
    this.#prompt.set(undefined);
    await prompt?.prompt();
  }

  /** On iOS, where only the user can install the app: explains how, once per device. */
  showIosHintOnce(): void {
    const navigator = this.#window?.navigator;
    if (!navigator || !needsManualInstall(navigator, this.#isInstalled()) || wasHintShown()) return;
    this.#toasts.show($localize`To install: press Share, then Add to Home Screen.`, {
      label: $localize`Got it`,
      run: () => undefined,
    });
  }

  #isInstalled(): boolean {
    return this.#window?.matchMedia('(display-mode: standalone)').matches ?? false;
  }
}

/** Whether the hint was already shown; marks it as shown. */
function wasHintShown(): boolean {
  try {
    const before = localStorage.getItem(HINT_KEY) !== null;
    localStorage.setItem(HINT_KEY, 'shown');
    return before;
  } catch {
    // Storage is blocked: showing no hint is better than showing it at every start.
    return true;
  }
}
