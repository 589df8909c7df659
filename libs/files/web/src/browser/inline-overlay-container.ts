import { OverlayContainer } from '@angular/cdk/overlay';
import { ElementRef, inject, Injectable } from '@angular/core';

/**
 * Renders the menus of a component inside the component, and therefore inside its landmark, instead of at the end of
 * the page. Provide it as the `OverlayContainer` of a component with menus.
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
