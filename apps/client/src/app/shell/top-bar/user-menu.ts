import { CdkMenu, CdkMenuItem } from '@angular/cdk/menu';
import { afterNextRender, Component, inject, viewChild } from '@angular/core';
import { Router } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import { Icon, Palette, PanelRef } from '@homeport/platform/web';
import { Installation } from '../../pwa/installation';
import { SignOut } from '../sign-out';

/** The signed-in user and the account actions. */
@Component({
  selector: 'hp-user-menu',
  imports: [CdkMenu, CdkMenuItem, Icon],
  template: `
    <div class="menu">
      @if (session.user(); as user) {
        <div class="who">
          <p class="name">{{ user.name ?? user.email ?? user.sub }}</p>
          @if (user.name && user.email) {
            <p>{{ user.email }}</p>
          }
          @if (user.organization; as organization) {
            <p [title]="organization">{{ user.organization_name ?? organization }}</p>
          }
        </div>
      }
      <div class="items" cdkMenu aria-label="Account" i18n-aria-label>
        <button type="button" class="menu-item" cdkMenuItem (cdkMenuItemTriggered)="open()">
          <hp-icon name="settings" /><ng-container i18n>Settings</ng-container>
        </button>
        <button type="button" class="menu-item" cdkMenuItem (cdkMenuItemTriggered)="help()">
          <hp-icon name="keyboard" /><ng-container i18n>Keyboard shortcuts</ng-container>
        </button>
        @if (installation.isOffered()) {
          <button type="button" class="menu-item" cdkMenuItem (cdkMenuItemTriggered)="install()">
            <hp-icon name="download" /><ng-container i18n>Install app</ng-container>
          </button>
        }
        <hr />
        <button type="button" class="menu-item" cdkMenuItem (cdkMenuItemTriggered)="signOut()">
          <hp-icon name="sign-out" /><ng-container i18n>Sign out</ng-container>
        </button>
      </div>
    </div>
  `,
  styles: `
    .who {
      margin-bottom: var(--space-1);
      padding: var(--space-2) var(--space-2-5) var(--space-2-5);
      border-bottom: 1px solid var(--line);
      overflow-wrap: anywhere;
    }
    p {
      margin: 0;
      color: var(--muted);
      font-size: var(--size-small);
    }
    .name {
      color: var(--text);
      font-size: var(--size-base);
      font-weight: 600;
    }
    .items {
      display: flex;
      flex-direction: column;
    }
  `,
})
export class UserMenu {
  readonly #panel = inject(PanelRef);
  readonly #router = inject(Router);
  readonly #palette = inject(Palette);
  readonly #signOut = inject(SignOut);
  private readonly menu = viewChild.required(CdkMenu);
  protected readonly session = inject(AuthSession);
  protected readonly installation = inject(Installation);

  constructor() {
    afterNextRender(() => this.menu().focusFirstItem('keyboard'));
  }

  protected open(): void {
    this.#panel.close();
    void this.#router.navigateByUrl('/settings');
  }

  protected help(): void {
    this.#panel.close();
    void this.#palette.help();
  }

  protected install(): void {
    this.#panel.close();
    void this.installation.showPrompt();
  }

  protected signOut(): void {
    this.#panel.close();
    void this.#signOut.run();
  }
}
