import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Icon, pickedFiles } from '@homeport/platform/web';
import { FirstFileActions } from './first-file-actions';

/** Three first steps in an empty workspace. */
@Component({
  selector: 'hp-onboarding',
  imports: [Icon, RouterLink],
  templateUrl: './onboarding.html',
  styleUrl: './onboarding.css',
})
export class Onboarding {
  protected readonly actions = inject(FirstFileActions);

  protected async upload(input: HTMLInputElement): Promise<void> {
    const picked = pickedFiles(input.files ?? []);
    input.value = '';
    await this.actions.upload(picked);
  }
}
