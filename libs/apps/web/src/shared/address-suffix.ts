import type { App, Hosting } from '@homeport/apps/contracts';

type HostingDomain = Pick<Hosting, 'domain'>;
type AppHostname = Pick<App, 'subdomain' | 'hostname'>;

/** The text after every subdomain, `.apps.example.com`: from the API, else from any app, else empty. */
export function addressSuffix(hosting: HostingDomain | undefined, apps: readonly AppHostname[] = []): string {
  if (hosting) return `.${hosting.domain}`;
  const [app] = apps;
  return app?.hostname.startsWith(`${app.subdomain}.`) ? app.hostname.slice(app.subdomain.length) : '';
}
