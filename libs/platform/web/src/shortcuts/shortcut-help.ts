import { Dialog, DialogRef } from '@angular/cdk/dialog';
import { Component, inject, type Injector } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { Icon } from '../ui/icon/icon';
import { Key } from './key';
import { Shortcuts } from './shortcuts';

@Component({
  selector: 'hp-shortcut-help',
  imports: [Icon, Key],
  template: `
    <header>
      <h2 id="shortcut-help" i18n>Keyboard shortcuts</h2>
      <button type="button" class="icon-button" aria-label="Close" i18n-aria-label (click)="dialog.close()">
        <hp-icon name="close" />
      </button>
    </header>
    @for (group of shortcuts.groups(); track group.heading) {
      <section [attr.aria-labelledby]="'shortcuts-' + $index">
        <h3 [id]="'shortcuts-' + $index">{{ group.heading }}</h3>
        <dl>
          @for (shortcut of group.shortcuts; track shortcut.label) {
            <div>
              <dt>{{ shortcut.label }}</dt>
              <dd><hp-key [keys]="shortcut.keys" /></dd>
            </div>
          }
        </dl>
      </section>
    }
  `,
  styles: `
    :host {
      display: block;
      padding: var(--space-4) var(--space-5) var(--space-5);
    }
    header {
      display: flex;
      align-items: center;
      justify-content: space-between;
      margin-right: calc(-1 * var(--space-2));
    }
    h3 {
      margin: var(--space-4) 0 var(--space-1);
      color: var(--muted);
      font-size: var(--size-small);
      font-weight: 500;
    }
    dl {
      margin: 0;
    }
    dl > div {
      display: flex;
      align-items: center;
      justify-content: space-between;
      gap: var(--space-4);
      min-height: 36px;
    }
    dl > div + div {
      border-top: 1px solid var(--line);
    }
    dd {
      margin: 0;
    }
  `,
})
export class ShortcutHelp {
  protected readonly shortcuts = inject(Shortcuts);
  protected readonly dialog = inject<DialogRef<undefined>>(DialogRef);
}

/** Opens the keyboard help; resolves when it is closed. */
export async function openShortcutHelp(injector: Injector): Promise<void> {
  const opened = injector.get(Dialog).open<undefined>(ShortcutHelp, {
    ariaLabelledBy: 'shortcut-help',
    ariaModal: true,
    panelClass: 'dialog-panel',
    backdropClass: 'dialog-backdrop',
  });
  await firstValueFrom(opened.closed, { defaultValue: undefined });
}
