import type { ChallengeAnswer, ChallengeAnswers } from './challenge-answers.port';
import type { ChallengeZone } from './challenge-zone.port';

/** Longer than an order takes. */
const LIFETIME_MS = 24 * 3_600_000;

export interface ChallengePublisherDependencies {
  readonly answers: ChallengeAnswers;
  /** Undefined without a zone for challenges: then there are no answers for dns-01. */
  readonly zone: ChallengeZone | undefined;
  readonly now?: () => Date;
}

/** Publishes the answers to challenges: at the edges, and in the challenge zone. */
export class ChallengePublisher {
  constructor(private readonly dependencies: ChallengePublisherDependencies) {}

  /** @throws {DatabaseUnavailable} @throws {DnsFailure} */
  async publish(answer: ChallengeAnswer, signal: AbortSignal): Promise<void> {
    const { answers, zone } = this.dependencies;
    // Stored first, so that it is removed from the zone even if this instance stops.
    await answers.put(answer, new Date(this.#now().getTime() + LIFETIME_MS));
    if (answer.type === 'dns-01') await zone?.add(answer.name, answer.value, signal);
  }

  /** Best effort: answers that remain expire. */
  async withdraw(answer: ChallengeAnswer, signal: AbortSignal): Promise<void> {
    const { answers, zone } = this.dependencies;
    if (answer.type === 'dns-01') await zone?.remove(answer.name, answer.value, signal);
    await answers.remove(answer);
  }

  /** Removes answers that were left behind. @throws {DatabaseUnavailable} @throws {DnsFailure} */
  async withdrawExpired(signal: AbortSignal): Promise<void> {
    for (const answer of await this.dependencies.answers.expired(this.#now())) await this.withdraw(answer, signal);
  }

  #now(): Date {
    return this.dependencies.now?.() ?? new Date();
  }
}
