import type { Queries } from '@homeport/platform/server/database';
import { type ChallengeAnswer, ChallengeAnswers } from '../../application/challenge-answers.port';

/** The answers in PostgreSQL, where edges read them. */
export class PostgresChallengeAnswers extends ChallengeAnswers {
  constructor(private readonly queries: Queries) {
    super();
  }

  async put({ name, type, token, value }: ChallengeAnswer, expiresAt: Date): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        `insert into apps.challenge_answers (name, type, token, value, expires_at) values ($1, $2, $3, $4, $5)
         on conflict (name, type, token, value) do update set expires_at = excluded.expires_at`,
        [name, type, token, value, expiresAt],
      ),
    );
  }

  async remove({ name, type, token, value }: ChallengeAnswer): Promise<void> {
    await this.queries.run((manager) =>
      manager.query('delete from apps.challenge_answers where name = $1 and type = $2 and token = $3 and value = $4', [
        name,
        type,
        token,
        value,
      ]),
    );
  }

  async expired(now: Date): Promise<readonly ChallengeAnswer[]> {
    return this.queries.run((manager) =>
      manager.query<ChallengeAnswer[]>(
        'select name, type, token, value from apps.challenge_answers where expires_at <= $1 limit 100',
        [now],
      ),
    );
  }
}
