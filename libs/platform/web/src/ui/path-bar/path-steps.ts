import type { Signal } from '@angular/core';
import type { Breadcrumb } from '../../breadcrumbs/page-breadcrumbs';

/** A way whose steps a menu leads to. */
export abstract class PathSteps {
  abstract readonly steps: Signal<readonly Breadcrumb[]>;
}
