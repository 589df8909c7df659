import { hash } from 'node:crypto';
import type { App } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import { DomainError, InvalidRequest, problemOf } from '@homeport/platform/server';
import type { AppRegistry, AppWish } from '../../application/registry/app-registry';
import type { IdempotencyKeys, KeptAnswer, KeyUse } from '../../application/registry/idempotency-keys.port';
import { AppMissing, IdempotencyInProgress, IdempotencyMismatch } from '../../domain/registry/apps.errors';

/** What is answered to a registration. */
export interface RegistrationAnswer extends KeptAnswer {
  /** Whether it was given before, to a request with the same key. */
  readonly isReplayed: boolean;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Registers an app once, however often the request comes with the same `Idempotency-Key`. */
export class IdempotentRegistrations {
  constructor(
    private readonly registry: Pick<AppRegistry, 'get' | 'register'>,
    private readonly keys: IdempotencyKeys,
  ) {}

  /** @param requestId stands in the answer when it is a refusal, also when that is repeated. */
  async register(member: Member, wish: AppWish, requestId: string): Promise<RegistrationAnswer> {
    const { idempotencyKey: key } = wish;
    if (key === undefined) return created(await this.registry.register(member, wish));
    if (!KEY.test(key)) throw new InvalidRequest('Idempotency-Key is 1 to 255 visible ASCII characters.');
    const use = { organization: member.organization, key, fingerprint: fingerprintOf(wish) };
    const found = await this.keys.begin(use);
    if (found.kind === 'mismatch') throw new IdempotencyMismatch();
    if (found.kind === 'running') throw new IdempotencyInProgress();
    if (found.kind === 'answered') return { ...found.answer, isReplayed: true };
    if (found.kind === 'unfinished') return this.#resume(member, use, found.appId);
    return this.#first(member, use, { ...wish, requestId });
  }

  async #first(member: Member, use: KeyUse, { requestId, ...wish }: AppWish & { requestId: string }) {
    try {
      return await this.#kept(use, created(await this.registry.register(member, wish)));
    } catch (error) {
      const problem = error instanceof DomainError ? problemOf(error, requestId) : undefined;
      // What is no answer for good is not repeated: the next request tries anew.
      if (problem === undefined || problem.status >= 500) await this.keys.release(use).catch(() => undefined);
      else await this.keys.finish(use, { status: problem.status, body: problem }).catch(() => undefined);
      throw error;
    }
  }

  /** The first request made the app and broke off before its answer: the app as it is now is the answer. */
  async #resume(member: Member, use: KeyUse, appId: string): Promise<RegistrationAnswer> {
    const app = await this.registry.get(member, appId).catch((error: unknown) => {
      if (error instanceof AppMissing) throw new IdempotencyMismatch();
      throw error;
    });
    return { ...(await this.#kept(use, created(app))), isReplayed: true };
  }

  /** The app exists by now: an answer that cannot be kept is given all the same. */
  async #kept(use: KeyUse, answer: RegistrationAnswer): Promise<RegistrationAnswer> {
    await this.keys.finish(use, answer).catch(() => undefined);
    return answer;
  }
}

function created(body: App): RegistrationAnswer {
  return { status: 201, body, isReplayed: false };
}

function fingerprintOf({ name, type }: AppWish): string {
  return hash('sha256', JSON.stringify([name, type]), 'base64url');
}
