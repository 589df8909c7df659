import type { ChallengeAnswer } from './challenge-answers.port';

/** Asks for the answer to a challenge as an authority does. */
export abstract class ChallengeProbe {
  /** @returns whether an edge of this installation returns the answer at its name. Never rejects. */
  abstract reaches(answer: ChallengeAnswer, signal: AbortSignal): Promise<boolean>;
}
