import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  CertificateIssuer,
  type IssuanceOptions,
  type IssuanceStep,
  type RenewalAdvice,
} from '../../application/certificate-issuer.port';
import type { CertificateOrder, IssuedCertificate, OrderProgress } from '../../domain/certificate-order';
import { IssuanceFailed } from '../../domain/issuance-failed';

const DAY_MS = 86_400_000;
const DIRECTORY = 'memory:';

/** An authority in memory, for tests. Its chains are no certificates. */
export class InMemoryCertificateIssuer extends CertificateIssuer {
  readonly isManaged = false;
  /** How many orders were placed. */
  placed = 0;
  lastKey = '';
  failure: IssuanceFailed | undefined;
  /** Stops like a killed process: after the order was placed and stored. */
  killAfterPlacing = false;
  readonly #stopped = Promise.withResolvers<undefined>();
  /** Resolves when it stopped like that. */
  readonly stopped = this.#stopped.promise;
  advice: RenewalAdvice | undefined;
  /** Its names in CAA records. */
  identities: readonly string[] = [];
  /** By the URLs of their orders; undefined before they are issued. */
  readonly #orders = new Map<string, IssuedCertificate | undefined>();

  constructor(private readonly now: () => Date) {
    super();
  }

  async advance({ progress }: CertificateOrder, { save, signal }: IssuanceOptions): Promise<IssuanceStep> {
    if (signal.aborted) throw new IssuanceFailed('unavailable', 'the call was aborted');
    if (this.failure) throw this.failure;
    const { url, privateKey } = progress ?? (await this.#place(save));
    if (this.killAfterPlacing) return this.#stop();
    if (!this.#orders.has(url)) throw new IssuanceFailed('lost', 'the order is unknown');
    const certificate = this.#orders.get(url) ?? this.#issue(privateKey);
    this.#orders.set(url, certificate);
    return { outcome: 'issued', certificate };
  }

  async caaIdentities(): Promise<readonly string[]> {
    return this.identities;
  }

  async renewalAdvice(): Promise<RenewalAdvice | undefined> {
    return this.advice;
  }

  #issue(privateKey: string): IssuedCertificate {
    const [notBefore, notAfter] = [this.now(), new Date(this.now().getTime() + 90 * DAY_MS)];
    return { chain: 'chain', privateKey, notBefore, notAfter, serial: randomUUID(), directory: DIRECTORY };
  }

  #stop(): Promise<never> {
    this.#stopped.resolve(undefined);
    return new Promise(() => undefined);
  }

  async #place(save: IssuanceOptions['save']): Promise<OrderProgress> {
    this.placed += 1;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.lastKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const progress = { directory: DIRECTORY, url: randomUUID(), privateKey: this.lastKey };
    this.#orders.set(progress.url, undefined);
    await save(progress);
    return progress;
  }
}
