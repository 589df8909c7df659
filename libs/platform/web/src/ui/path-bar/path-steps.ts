import type { Signal } from '@angular/core';
import type { TrailStep } from '../../trail/page-trail';

/** A way whose steps a menu leads to. */
export abstract class PathSteps {
  abstract readonly steps: Signal<readonly TrailStep[]>;
}
