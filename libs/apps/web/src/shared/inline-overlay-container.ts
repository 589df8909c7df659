import { OverlayContainer } from '@angular/cdk/overlay';
import { ElementRef, inject, Injectable } from '@angular/core';

/**
 * Renders the menus of a component inside the component, and therefore inside its landmark. The file browser has the
 * same class: in the index of the platform it would load the overlays of the CDK with the first page.
 */
@Injectable()
export class InlineOverlayContainer extends OverlayContainer {
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  protected override _createContainer(): void {
    this._containerElement = this._document.createElement('div');
    this._containerElement.classList.add('cdk-overlay-container');
    this.#host.append(this._containerElement);
  }
}
