import { describe, expect, it } from '@jest/globals';
import type { IdentityEvent, IdentityUnitOfWork } from '../tokens/application/identity-unit-of-work.port';
import type { TokenRepository } from '../tokens/application/token-repository.port';
import { newToken } from './token-fixtures';

export interface OpenedUnitOfWork {
  readonly unitOfWork: IdentityUnitOfWork;
  /** Reads outside of a unit of work. */
  readonly tokens: TokenRepository;
  /** The targets of all recorded events. */
  readonly recordedTargets: () => Promise<readonly string[]>;
}

/** The contract of every `IdentityUnitOfWork` adapter. */
export function identityUnitOfWorkContract(name: string, open: () => OpenedUnitOfWork): void {
  const event = (target: string): IdentityEvent => ({
    organization: 'acme',
    actor: { issuer: 'https://issuer.example', subject: 'ada' },
    action: 'identity.token-created',
    target,
    detail: {},
  });

  describe(`${name} as a unit of work`, () => {
    it('stores all changes and returns the result', async () => {
      const { unitOfWork, tokens, recordedTargets } = open();
      const { token } = newToken();
      const result = await unitOfWork.run(async (repositories) => {
        await repositories.tokens.add(token);
        await repositories.audit.record(event(token.id));
        return 'done';
      });
      expect(result).toBe('done');
      expect(await tokens.findByHash(token.hash)).toEqual(token);
      expect(await recordedTargets()).toContain(token.id);
    });

    it('stores nothing when the work throws', async () => {
      const { unitOfWork, tokens, recordedTargets } = open();
      const { token } = newToken();
      const work = unitOfWork.run(async (repositories) => {
        await repositories.tokens.add(token);
        await repositories.audit.record(event(token.id));
        throw new RangeError('no');
      });
      await expect(work).rejects.toThrow(RangeError);
      expect(await tokens.findByHash(token.hash)).toBeUndefined();
      expect(await recordedTargets()).not.toContain(token.id);
    });
  });
}
