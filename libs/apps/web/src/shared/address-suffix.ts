import type { App, Hosting } from '@homeport/apps/contracts';

type Place = Pick<Hosting, 'domain'>;
type Address = Pick<App, 'subdomain' | 'hostname'>;

/** What follows every subdomain, `.apps.example.com`: as the API says, else as any app shows, else nothing. */
export function addressSuffix(hosting: Place | undefined, apps: readonly Address[] = []): string {
  if (hosting) return `.${hosting.domain}`;
  const [app] = apps;
  return app?.hostname.startsWith(`${app.subdomain}.`) ? app.hostname.slice(app.subdomain.length) : '';
}
