import type { AppType } from '@homeport/apps/contracts';
import { formatNumber } from '@homeport/platform/web';

export function appTypeLabel(type: AppType): string {
  return type === 'static' ? $localize`Static files` : $localize`Server rendered`;
}

export function deployCountMessage(deploys: number): string {
  return deploys === 1 ? $localize`1 deploy` : $localize`${formatNumber(deploys)}:count: deploys`;
}
