import { type ChallengeAnswer, ChallengeAnswers } from '../../application/challenge-answers.port';

/** The answers in memory, for tests. */
export class InMemoryChallengeAnswers extends ChallengeAnswers {
  readonly #answers = new Map<string, { readonly answer: ChallengeAnswer; readonly expiresAt: Date }>();

  async put(answer: ChallengeAnswer, expiresAt: Date): Promise<void> {
    this.#answers.set(JSON.stringify(answer), { answer, expiresAt });
  }

  async remove(answer: ChallengeAnswer): Promise<void> {
    this.#answers.delete(JSON.stringify(answer));
  }

  async expired(now: Date): Promise<readonly ChallengeAnswer[]> {
    return [...this.#answers.values()].filter(({ expiresAt }) => expiresAt <= now).map(({ answer }) => answer);
  }

  all(): readonly ChallengeAnswer[] {
    return [...this.#answers.values()].map(({ answer }) => answer);
  }
}
