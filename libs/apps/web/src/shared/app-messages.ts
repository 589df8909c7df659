import type { AppType, Deploy } from '@homeport/apps/contracts';
import { formatNumber } from '@homeport/platform/web';

export function appTypeLabel(type: AppType): string {
  return type === 'static' ? $localize`Static files` : $localize`Server rendered`;
}

export function deployCountMessage(deploys: number): string {
  return deploys === 1 ? $localize`1 deploy` : $localize`${formatNumber(deploys)}:count: deploys`;
}

/** The names of frameworks are trademarks, and stay untranslated. */
const FRAMEWORK_NAMES: Readonly<Record<NonNullable<Deploy['framework']>, string>> = {
  angular: 'Angular',
  next: 'Next.js',
  nitro: 'Nitro',
  astro: 'Astro',
  sveltekit: 'SvelteKit',
  'react-router': 'React Router',
  node: 'Node.js',
  amplify: 'Amplify Hosting',
};

export function frameworkLabel(framework: NonNullable<Deploy['framework']>): string {
  return FRAMEWORK_NAMES[framework];
}
