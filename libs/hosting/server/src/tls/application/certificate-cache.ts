import { LRUCache } from 'lru-cache';
import { HostCache, HostCacheEntry } from '../../routing/application/host-cache';
import {
  type Certificate,
  type CertificateChangeFeed,
  type CertificateDirectory,
  CertificateUnusable,
} from './certificate-directory.port';

/** Each takes about 36 KiB. */
const MAX_CONTEXTS = 2_000;
const MAX_NAMES = 50_000;

/** Which certificate belongs to a host. */
export class CertificateEntry extends HostCacheEntry {
  constructor(
    hostname: string,
    /** Undefined for a host without a certificate. */
    readonly certificate: Pick<Certificate, 'version' | 'hsts'> | undefined,
  ) {
    super(hostname);
  }

  override get isKnown(): boolean {
    return this.certificate !== undefined;
  }
}

export interface CertificateCacheOptions<Context> {
  readonly directory: CertificateDirectory;
  readonly changes: CertificateChangeFeed;
  /** Creates what a TLS server needs of a certificate. */
  readonly createContext: (certificate: Certificate) => Context;
  /** Frees the memory of a context that is not kept. Connections that were made with it continue. */
  readonly freeContext: (context: Context) => void;
  /** Called when a certificate cannot be used: its key is unreadable, or it is damaged. */
  readonly onUnusable: (error: unknown, hostname: string) => void;
  readonly now?: () => number;
}

/** Caches which certificate belongs to which host, and the contexts of the certificates that were used last. */
export class CertificateCache<Context extends object> {
  readonly #hosts: HostCache<CertificateEntry>;
  readonly #contexts: LRUCache<string, Context>;

  constructor(private readonly options: CertificateCacheOptions<Context>) {
    const { changes, freeContext, now } = options;
    this.#contexts = new LRUCache({ max: MAX_CONTEXTS, dispose: (context) => freeContext(context) });
    this.#hosts = new HostCache({
      load: (hostname) => this.#load(hostname),
      changes,
      isAffected: ({ hostname }, changed) => {
        const name = changed.replace(/^\*\./, '');
        return hostname === name || hostname.endsWith(`.${name}`);
      },
      isSame: (one, other) =>
        one.certificate?.version === other.certificate?.version && one.certificate?.hsts === other.certificate?.hsts,
      sizeOf: () => 1,
      maxSize: MAX_NAMES,
      ...(now && { now }),
    });
  }

  /** Listens to changes until the signal is aborted. */
  open(signal: AbortSignal): void {
    this.#hosts.open(signal);
  }

  /** @param hostname in lower case. @throws {DatabaseUnavailable} when the host is not cached. */
  find(hostname: string): CertificateEntry | Promise<CertificateEntry> {
    return this.#hosts.find(hostname);
  }

  /** @returns undefined for a host without a certificate. @throws {DatabaseUnavailable} when it is not cached. */
  async findContext(hostname: string): Promise<Context | undefined> {
    const { certificate } = await this.#hosts.find(hostname);
    if (!certificate) return undefined;
    const cached = this.#contexts.get(certificate.version);
    if (cached) return cached;
    // The host is cached longer than the context of its certificate.
    const version = (await this.#load(hostname)).certificate?.version;
    return version === undefined ? undefined : this.#contexts.get(version);
  }

  async #load(hostname: string): Promise<CertificateEntry> {
    try {
      const certificate = await this.options.directory.findCertificate(hostname);
      if (!certificate) return new CertificateEntry(hostname, undefined);
      const { version, hsts } = certificate;
      if (!this.#contexts.has(version)) this.#contexts.set(version, this.#createContext(certificate));
      return new CertificateEntry(hostname, { version, hsts });
    } catch (error) {
      if (!(error instanceof CertificateUnusable)) throw error;
      this.options.onUnusable(error, hostname);
      return new CertificateEntry(hostname, undefined);
    }
  }

  #createContext(certificate: Certificate): Context {
    try {
      return this.options.createContext(certificate);
    } catch (cause) {
      throw new CertificateUnusable('the chain or the key is damaged', { cause });
    }
  }
}
