import { randomBytes } from 'node:crypto';
import { findCaaRecords, findForbiddingAnswer, isUnanswered } from '../../domains/application/caa-records';
import type { DomainInspector } from '../../domains/application/domain-inspector';
import type { DomainResolver, ServerAnswer } from '../../domains/application/domain-resolver.port';
import type { DomainClaimFacts } from '../../domains/domain/domain-claim';
import type { CertificateOrder, ChallengeType } from '../domain/certificate-order';
import type { CertificateIssuer } from './certificate-issuer.port';
import type { ChallengeProbe } from './challenge-probe.port';
import type { ChallengePublisher } from './challenge-publisher';

export interface OrderPrecheckDependencies {
  readonly inspector: Pick<DomainInspector, 'inspect'>;
  readonly resolver: DomainResolver;
  readonly issuer: CertificateIssuer;
  readonly publisher: ChallengePublisher;
  readonly probe: ChallengeProbe;
}

/** The challenge that will work, or why none will. */
export type PrecheckResult = { readonly challenge: ChallengeType } | { readonly blockedBy: string };

/** Checks before an order whether the authority would issue, so that wrong records use up none of its limits. */
export class OrderPrecheck {
  constructor(private readonly dependencies: OrderPrecheckDependencies) {}

  /** @throws {IssuanceFailed} `unavailable` @throws {DatabaseUnavailable} */
  async check(order: CertificateOrder, claim: DomainClaimFacts, signal: AbortSignal): Promise<PrecheckResult> {
    const { routing, records } = await this.dependencies.inspector.inspect(claim);
    if (routing !== 'here') return { blockedBy: `the addresses of ${claim.name} lead ${routing}` };
    const challengeRecord = records.find(({ purpose }) => purpose === 'challenge');
    if (order.challenge === 'dns-01' && challengeRecord?.state !== 'found') {
      return { blockedBy: `the record ${challengeRecord?.name ?? 'of the challenge'} is missing` };
    }
    const caa = await this.#checkCaa(order, claim.name, signal);
    if (caa !== undefined) return { blockedBy: caa };
    // An issuer that keeps certificates answers challenges itself, at servers that we do not reach yet.
    const isProbed = order.challenge !== 'dns-01' && !this.dependencies.issuer.isManaged;
    return isProbed ? this.#probe(claim.name, signal) : { challenge: order.challenge };
  }

  /** @returns why the CAA records do not permit the order. */
  async #checkCaa(order: CertificateOrder, name: string, signal: AbortSignal): Promise<string | undefined> {
    const identities = await this.dependencies.issuer.caaIdentities(signal, order);
    const found = await findCaaRecords(this.dependencies.resolver, name);
    if (!found) return undefined;
    if (isUnanswered(found)) return `no name server answers for the CAA records of ${found.place}`;
    const forbidding = findForbiddingAnswer(found, identities, order.names);
    return forbidding && `the CAA record of ${found.place} does not permit the authority: ${shown(forbidding)}`;
  }

  /** Finds out whether requests to the name reach our edges: by HTTP, or by TLS where only that arrives. */
  async #probe(name: string, signal: AbortSignal): Promise<PrecheckResult> {
    const { probe, publisher } = this.dependencies;
    const token = randomBytes(16).toString('base64url');
    for (const type of ['http-01', 'tls-alpn-01'] as const) {
      const answer = { name, type, token: type === 'http-01' ? token : '', value: `${token}.self-check` };
      try {
        await publisher.publish(answer, signal);
        if (await probe.reaches(answer, signal)) return { challenge: type };
      } finally {
        await publisher.withdraw(answer, signal);
      }
    }
    return { blockedBy: `our own request to ${name} was not answered by an edge` };
  }
}

function shown({ server, values }: ServerAnswer): string {
  return `${values.slice(0, 3).join(', ')} (${server})`;
}
