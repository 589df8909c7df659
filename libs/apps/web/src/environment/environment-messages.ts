import type { VariableScope } from '@homeport/apps/contracts';
import { formatNumber } from '@homeport/platform/web';

export function scopeLabel(scope: VariableScope): string {
  switch (scope) {
    case 'all':
      return $localize`:variable scope|:Production and previews`;
    case 'production':
      return $localize`:variable scope|:Production`;
    case 'preview':
      return $localize`:variable scope|:Previews`;
  }
}

export function savedMessage(count: number): string {
  return count === 1
    ? $localize`1 variable saved. The app restarts with it.`
    : $localize`${formatNumber(count)}:count: variables saved. The app restarts with them.`;
}
