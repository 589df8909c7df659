import type { IncomingMessage, RequestListener } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { rawPathOf } from '@homeport/kernel';
import type { SiteHostnames } from '@homeport/hosting/contracts';
import type { UpgradeHandler } from '@homeport/platform/server/node-http';
import { parseHost } from '../../../routing/adapters/http/edge-host';
import { effectiveTarget } from '../../../routing/adapters/http/edge-request';
import { MISDIRECTED, renderErrorPage } from '../../../routing/adapters/http/error-pages';
import { isNavigation } from '../../../routing/domain/navigation';
import { sendBuffered } from '../../../static/adapters/http/file-sender';
import type { CertificateCache, CertificateEntry } from '../../application/certificate-cache';

/** Two years, as browsers require for their lists. */
const STRICT_TRANSPORT = 'max-age=63072000';

interface SecureVisit {
  /** Whether the certificate of the connection is another one than that of the requested host. */
  readonly isMisdirected: boolean;
  readonly hsts: boolean;
}

const UNKNOWN: SecureVisit = { isMisdirected: false, hsts: false };

/** Checks the hosts of requests over TLS against the certificates of their connections. */
export class SecureHosts {
  constructor(
    private readonly certificates: Pick<CertificateCache<object>, 'find'>,
    private readonly hostnames: SiteHostnames,
  ) {}

  /** Rejects misdirected requests (RFC 9110, section 15.5.20), and announces HSTS. */
  protect(handle: RequestListener): RequestListener {
    return (request, response) => {
      const answer = ({ isMisdirected, hsts }: SecureVisit) => {
        if (isMisdirected) {
          const wantsHtml = isNavigation(request.headers, rawPathOf(request.url ?? ''));
          return sendBuffered(request, response, renderErrorPage(MISDIRECTED, wantsHtml));
        }
        // A field of the site's own rules replaces it.
        if (hsts) response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT);
        handle(request, response);
      };
      const visit = this.#visitOf(request);
      if (visit instanceof Promise) void visit.then(answer);
      else answer(visit);
    };
  }

  /** Leaves misdirected requests for WebSockets to the handler of other requests. */
  protectUpgrades(upgrade: UpgradeHandler): UpgradeHandler {
    return async (exchange) => {
      const { isMisdirected } = await this.#visitOf(exchange.request);
      return isMisdirected ? false : upgrade(exchange);
    };
  }

  #visitOf(request: IncomingMessage): SecureVisit | Promise<SecureVisit> {
    const { host = '' } = effectiveTarget(request);
    if (!parseHost(host, this.hostnames)) return UNKNOWN;
    const hostname = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
    const servername = String((request.socket as TLSSocket).servername).toLowerCase();
    if (hostname !== servername) return this.#compare(hostname, servername).catch(() => UNKNOWN);
    const entry = this.certificates.find(hostname);
    // Sites that are cached are served while PostgreSQL is unavailable.
    return entry instanceof Promise ? entry.then(toVisit, () => UNKNOWN) : toVisit(entry);
  }

  /** Hosts of the same certificate may share a connection. */
  async #compare(hostname: string, servername: string): Promise<SecureVisit> {
    const connected = await this.certificates.find(servername);
    const requested = await this.certificates.find(hostname);
    const isSame = requested.isKnown && requested.certificate?.version === connected.certificate?.version;
    return { ...toVisit(requested), isMisdirected: !isSame };
  }
}

function toVisit({ certificate }: CertificateEntry): SecureVisit {
  return { isMisdirected: false, hsts: certificate?.hsts ?? false };
}
