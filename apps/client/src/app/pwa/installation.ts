import { DOCUMENT, inject, Service, signal } from '@angular/core';
import { Toasts } from '@homeport/platform/web';
import { needsManualInstall } from './ios-install';

/** What Chromium fires when the app can be installed; TypeScript's DOM library does not have it. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

const HINT_KEY = 'homeport.home-screen-hint';

/** Puts the app among the others of the device, where the browser lets a page ask for it. */
@Service()
export class Installation {
  readonly #window = inject(DOCUMENT).defaultView;
  readonly #toasts = inject(Toasts);
  readonly #prompt = signal<BeforeInstallPromptEvent | undefined>(undefined);
  /** Whether there is something to ask for. */
  readonly isOffered = () => this.#prompt() !== undefined;

  constructor() {
    this.#window?.addEventListener('beforeinstallprompt', (event) => {
      // Our own menu offers it, where nobody is interrupted.
      event.preventDefault();
      this.#prompt.set(event as BeforeInstallPromptEvent);
    });
    this.#window?.addEventListener('appinstalled', () => this.#prompt.set(undefined));
  }

  /** Lets the browser ask. It answers one question only, and offers another one when it may be asked again. */
  async showPrompt(): Promise<void> {
    const prompt = this.#prompt();
    this.#prompt.set(undefined);
    await prompt?.prompt();
  }

  /** Where only the person can do it: says how, once on this device. */
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

/** Whether the hint was shown before; from now on it was. */
function wasHintShown(): boolean {
  try {
    const before = localStorage.getItem(HINT_KEY) !== null;
    localStorage.setItem(HINT_KEY, 'shown');
    return before;
  } catch {
    // Storage is closed: better no hint than one with every start.
    return true;
  }
}
