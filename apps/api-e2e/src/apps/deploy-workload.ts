import { createHash } from 'node:crypto';
import type { App } from '@homeport/apps/contracts';
import { DeployClient } from './deploy-client';
import { visit } from './visit';

/** A page that names its version, and a script whose name and content depend on the version. */
function versionedSite(app: string, version: number): Record<string, string> {
  const name = scriptOf(app, version);
  return {
    'index.html': `<!doctype html><title>${app}</title><script src="/${name}"></script><p id="version">${version}</p>`,
    [name]: `globalThis.version = ${version};`,
    'LICENSE.txt': 'the same in every version',
  };
}

/** A name with a hash, like those of bundlers. */
function scriptOf(app: string, version: number): string {
  return `main-${createHash('sha256').update(`${app} ${version}`).digest('hex').slice(0, 12)}1a.js`;
}

const VERSION = /<script src="\/(main-\w+\.js)"><\/script><p id="version">(\d+)<\/p>$/;

/** Repeatedly deploys to an app, activates old deploys and rolls back. The called API may be killed meanwhile. */
export class DeployWorkload {
  /** Acknowledged ready deploys, by version. */
  readonly ready = new Map<number, string>();
  readonly violations: string[] = [];
  #version = 0;

  constructor(
    readonly app: App,
    private readonly token: string,
    private readonly random: () => number,
  ) {}

  /** Makes one call. @param base address of the API. @returns whether a response arrived. */
  async step(base: string): Promise<boolean> {
    const deployer = new DeployClient(this.token, base);
    const chance = this.random();
    const known = [...this.ready.values()];
    try {
      if (known.length === 0 || chance < 0.6) return await this.#deploy(deployer);
      const answer =
        chance < 0.8
          ? await deployer.activate(known[Math.floor(this.random() * known.length)] as string)
          : await deployer.rollBack(this.app.id);
      const isExpected = answer.status === 200 || answer.body.code === 'apps.nothing-to-roll-back';
      if (!isExpected && answer.status !== 503) this.violations.push(`${answer.status} ${answer.body.code}`);
      return answer.status !== 503;
    } catch {
      return false;
    }
  }

  async #deploy(deployer: DeployClient): Promise<boolean> {
    const version = (this.#version += 1);
    const { status, body } = await deployer.deploy(this.app.id, versionedSite(this.app.subdomain, version));
    if (status === 201) this.ready.set(version, body.id);
    else if (status !== 503) this.violations.push(`deploying: ${status} ${body.code}`);
    return status === 201;
  }
}

/** Opens an app like a browser: first the page, then its script. */
export class SiteReader {
  readonly violations: string[] = [];
  readonly seen = new Set<number>();
  pages = 0;

  constructor(
    private readonly app: App,
    private readonly port: number,
  ) {}

  async read(): Promise<void> {
    const page = await visit(this.app.url, { port: this.port });
    const [, script, version] = VERSION.exec(page.body) ?? [];
    if (page.status !== 200 || script === undefined) {
      this.violations.push(`the page: ${page.status} ${page.body.slice(0, 80)}`);
      return;
    }
    const code = await visit(`${this.app.url}/${script}`, { port: this.port });
    const isWhole = code.body === `globalThis.version = ${version};`;
    if (code.status !== 200 || !isWhole)
      this.violations.push(`version ${version}: ${code.status} ${code.body.slice(0, 80)}`);
    this.seen.add(Number(version));
    this.pages += 1;
  }
}
