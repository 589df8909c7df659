import { hash } from 'node:crypto';
import type { App } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import { DomainError, InvalidRequest, problemOf } from '@homeport/platform/server';
import type { AppRegistry, RegisterAppRequest } from '../../application/registry/app-registry';
import type {
  IdempotencyKeys,
  StoredResponse,
  IdempotentRequest,
} from '../../application/registry/idempotency-keys.port';
import { AppNotFound, IdempotencyInProgress, IdempotencyMismatch } from '../../domain/registry/apps.errors';

/** What is answered to a registration. */
export interface RegistrationResponse extends StoredResponse {
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
  async register(member: Member, wish: RegisterAppRequest, requestId: string): Promise<RegistrationResponse> {
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

  async #first(
    member: Member,
    use: IdempotentRequest,
    { requestId, ...wish }: RegisterAppRequest & { requestId: string },
  ) {
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
  async #resume(member: Member, use: IdempotentRequest, appId: string): Promise<RegistrationResponse> {
    const app = await this.registry.get(member, appId).catch((error: unknown) => {
      if (error instanceof AppNotFound) throw new IdempotencyMismatch();
      throw error;
    });
    return { ...(await this.#kept(use, created(app))), isReplayed: true };
  }

  /** The app exists by now: an answer that cannot be kept is given all the same. */
  async #kept(use: IdempotentRequest, answer: RegistrationResponse): Promise<RegistrationResponse> {
    await this.keys.finish(use, answer).catch(() => undefined);
    return answer;
  }
}

function created(body: App): RegistrationResponse {
  return { status: 201, body, isReplayed: false };
}

function fingerprintOf({ name, type }: RegisterAppRequest): string {
  return hash('sha256', JSON.stringify([name, type]), 'base64url');
}
