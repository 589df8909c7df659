import { effect, EnvironmentInjector, inject, untracked } from '@angular/core';
import { AuthSession, hasPersonalData } from '@homeport/identity/web';

/** Sends the saves that an earlier page has queued. Requires an injection context. */
export function resumeSaves(): void {
  const [session, injector] = [inject(AuthSession), inject(EnvironmentInjector)];
  effect(() => {
    // When loading fails, the next start tries again.
    if (session.user()) untracked(() => void loadSender(injector).catch(() => undefined));
  });
}

async function loadSender(injector: EnvironmentInjector): Promise<void> {
  if (!(await hasPersonalData('saves'))) return;
  const { SaveSender } = await import('./save-sender');
  injector.get(SaveSender);
}
