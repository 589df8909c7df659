import type { RequestListener } from 'node:http';
import type { SiteHostnames } from '@homeport/hosting/contracts';
import type { ClientConnectionResolver } from '@homeport/platform/server/network';
import type { UpgradeHandler } from '@homeport/platform/server/node-http';
import { EdgeServer, type EdgeServerOptions } from '../routing/adapters/http/edge-server';
import { answeringChallenges } from './adapters/http/challenge-responses';
import { redirectingToHttps } from './adapters/http/https-redirect';
import { SecureHosts } from './adapters/http/secure-hosts';
import { TlsTermination, type TlsTerminationOptions } from './adapters/node/tls-termination';

export interface EdgeTlsOptions extends Omit<TlsTerminationOptions, 'log'> {
  /** 0 chooses a free port. */
  readonly port: number;
}

export interface SecureEdgeOptions extends Pick<EdgeServerOptions, 'responses'> {
  readonly tls: EdgeTlsOptions;
  readonly log: TlsTerminationOptions['log'];
  readonly hostnames: SiteHostnames;
  readonly connectionOf: ClientConnectionResolver;
  readonly handle: RequestListener;
  readonly upgrade: UpgradeHandler;
}

/** The part of the edge that serves sites over TLS, on a second port. */
export class SecureEdge {
  /** Handles the requests of the first port: answers challenges, and redirects to https. */
  readonly handlePlain: RequestListener;
  readonly #termination: TlsTermination;
  readonly #server: EdgeServer;
  #port: number;

  constructor({ tls, log, hostnames, connectionOf, handle, upgrade, responses }: SecureEdgeOptions) {
    this.#port = tls.port;
    const termination = new TlsTermination({ ...tls, log });
    const { certificates } = termination;
    const hosts = new SecureHosts(certificates, hostnames);
    const challenges = { hostnames, directory: tls.directory };
    const redirect = { hostnames, certificates, connectionOf, tlsPort: () => this.#port };
    this.handlePlain = answeringChallenges(challenges, redirectingToHttps(redirect, handle));
    this.#termination = termination;
    this.#server = new EdgeServer(hosts.protect(handle), {
      responses,
      upgrade: hosts.protectUpgrades(upgrade),
      createServer: (options, listener) => termination.createServer(options, listener),
    });
  }

  /** The port in use. */
  get port(): number {
    return this.#port;
  }

  /** @param signal ends the listening to changes of certificates. */
  async open(host: string, signal: AbortSignal): Promise<void> {
    this.#termination.certificates.open(signal);
    this.#port = await this.#server.listen(this.#port, host);
  }

  beginDraining(): void {
    this.#server.beginDraining();
    this.#termination.beginDraining();
  }

  /** @returns whether every request was answered within the limit. */
  async close(limitMs: number): Promise<boolean> {
    const closeRemaining = this.#termination.close();
    const isDone = await this.#server.close(limitMs);
    closeRemaining();
    return isDone;
  }
}
