import type { ChallengeType } from '../domain/certificate-order';

/** The answer to a challenge, which edges return to the authority. */
export interface ChallengeAnswer {
  /** The host name that is proved, without `*.`; for dns-01 the name of the TXT record in the challenge zone. */
  readonly name: string;
  readonly type: ChallengeType;
  /** Empty for tls-alpn-01 and dns-01. */
  readonly token: string;
  /** The key authorization; for dns-01 the value of the TXT record. */
  readonly value: string;
}

/** The answers that edges return. Every method can reject with DatabaseUnavailable; repeating is safe. */
export abstract class ChallengeAnswers {
  abstract put(answer: ChallengeAnswer, expiresAt: Date): Promise<void>;
  abstract remove(answer: ChallengeAnswer): Promise<void>;
  /** Answers that expired, because their instance was stopped. */
  abstract expired(now: Date): Promise<readonly ChallengeAnswer[]>;
}
