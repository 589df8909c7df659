/** The hostnames of sites below one domain: apps and previews have one label each, directly below it. */
export class SiteHostnames {
  /** @param domain such as `apps.example.com`, in lower case. */
  constructor(readonly domain: string) {}

  /** The hostname of an app or a preview. */
  hostnameOf(label: string): string {
    return `${label}.${this.domain}`;
  }

  /** The label of a hostname directly below the domain; undefined for any other hostname. */
  labelOf(hostname: string): string | undefined {
    const label = this.contains(hostname) ? hostname.slice(0, -this.domain.length - 1) : '';
    return label === '' || label.includes('.') ? undefined : label;
  }

  /** Whether a hostname is below the domain, at any depth. */
  contains(hostname: string): boolean {
    return hostname.endsWith(`.${this.domain}`);
  }
}
