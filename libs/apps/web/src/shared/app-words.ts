import type { AppType } from '@homeport/apps/contracts';

export const TYPE_WORDS: Readonly<Record<AppType, string>> = { static: 'Static files', ssr: 'Server rendered' };

export function deploysWords(deploys: number): string {
  return deploys === 1 ? '1 deploy' : `${deploys.toLocaleString('en')} deploys`;
}
