import { Component, computed, inject, Injector, input, signal } from '@angular/core';
import type { ApiToken, CreatedApiToken } from '@homeport/identity/contracts';
import {
  asHttpProblem,
  Confirmations,
  ErrorPanel,
  Icon,
  RelativeTime,
  screenData,
  Skeleton,
  StaleNotice,
  Toasts,
} from '@homeport/platform/web';
import { AuthSession } from '../session/auth-session';
import { scopeSummary } from './scope-messages';
import { type TokenKind, TokensClient } from './tokens-client';

/** Lists the tokens of one kind, with a button to create one and to revoke each. */
@Component({
  selector: 'hp-token-list',
  imports: [ErrorPanel, Icon, RelativeTime, Skeleton, StaleNotice],
  templateUrl: './token-list.html',
  styles: `
    .expired {
      color: var(--danger);
    }
  `,
})
export class TokenList {
  readonly kind = input.required<TokenKind>();
  readonly heading = input.required<string>();
  /** What the tokens are for, in one sentence. */
  readonly note = input.required<string>();
  /** Lists and creates only tokens of this app. */
  readonly appId = input<string>();

  readonly #client = inject(TokensClient);
  readonly #session = inject(AuthSession);
  readonly #confirmations = inject(Confirmations);
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);

  protected readonly tokens = screenData({
    key: () => {
      const scope = this.#session.userScope();
      return scope === undefined ? undefined : `${scope}\n${this.kind()}`;
    },
    load: (_key, abort) => this.#client.list(this.kind(), abort),
  });
  protected readonly rows = computed(() =>
    this.tokens
      .value()
      ?.filter((token) => this.appId() === undefined || token.app_id === this.appId())
      .map((token) => ({ ...token, permissions: scopeSummary(token.kind, token.scopes), ...expiryOf(token) })),
  );
  protected readonly opening = signal(false);

  protected async create(): Promise<void> {
    this.opening.set(true);
    try {
      const { openNewTokenDialog } = await import('./new-token-dialog');
      const created = await openNewTokenDialog(this.#injector, { kind: this.kind(), appId: this.appId() });
      if (created) this.tokens.update((all) => [withoutSecret(created), ...all]);
    } catch (error) {
      this.#toasts.show(asHttpProblem(error).detail);
    } finally {
      this.opening.set(false);
    }
  }

  protected async revoke(token: ApiToken): Promise<void> {
    const { name } = token;
    await this.#confirmations.ask({
      title: $localize`Revoke “${name}:name:”?`,
      text: $localize`Programs that use this token are refused at once. This cannot be undone.`,
      action: $localize`Revoke token`,
      run: async () => {
        await this.#client.revoke(token);
        this.tokens.update((all) => all.filter(({ id }) => id !== token.id));
        this.#toasts.show($localize`“${name}:name:” is revoked.`);
      },
    });
  }
}

function expiryOf({ expires_at }: ApiToken): { readonly isExpired: boolean } {
  return { isExpired: expires_at !== null && Date.parse(expires_at) <= Date.now() };
}

/** The secret belongs to the dialog alone. */
function withoutSecret({ token: _secret, ...token }: CreatedApiToken): ApiToken {
  return token;
}
