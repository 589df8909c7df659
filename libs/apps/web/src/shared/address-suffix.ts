import type { App, Hosting } from '@homeport/apps/contracts';

type HostingDomain = Pick<Hosting, 'domain'>;
type AppHostname = Pick<App, 'subdomain' | 'hostname'>;

/** What follows every subdomain, `.apps.example.com`: as the API says, else as any app shows, else nothing. */
export function addressSuffix(hosting: HostingDomain | undefined, apps: readonly AppHostname[] = []): string {
  if (hosting) return `.${hosting.domain}`;
  const [app] = apps;
  return app?.hostname.startsWith(`${app.subdomain}.`) ? app.hostname.slice(app.subdomain.length) : '';
}
