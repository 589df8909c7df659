import { Component, computed, inject } from '@angular/core';
import { AuthSession } from '../session/auth-session';
import { TokenList } from './token-list';

/** The tokens that scripts, pipelines and the command line use instead of a sign-in. */
@Component({
  selector: 'hp-access-tokens',
  imports: [TokenList],
  template: `
    <hp-token-list
      kind="personal"
      i18n-heading
      heading="Personal tokens"
      i18n-note
      note="For scripts and the command line: your own files."
    />
    @if (hasOrganization()) {
      <hp-token-list
        kind="organization"
        i18n-heading
        heading="Organization tokens"
        i18n-note
        note="For pipelines and servers: the apps of your organization. Everyone in it sees these tokens."
      />
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: var(--space-4);
    }
  `,
})
export class AccessTokens {
  readonly #session = inject(AuthSession);
  protected readonly hasOrganization = computed(() => (this.#session.user()?.organization ?? null) !== null);
}
