import { hash } from 'node:crypto';
import type { App } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { DomainError, InvalidRequest, problemOf } from '@homeport/kernel';
import { AppNotFound, IdempotencyInProgress, IdempotencyMismatch } from '../domain/apps.errors';
import type { AppCatalog } from './app-catalog';
import type { IdempotencyKeys, IdempotentRequest, StoredResponse } from './idempotency-keys.port';
import type { RegisterApp, RegisterAppRequest } from './register-app';

/** The response to a registration. */
export interface RegistrationResponse extends StoredResponse {
  /** Whether it repeats the response to an earlier request with the same key. */
  readonly isReplayed: boolean;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

export interface RegisterAppOnceDependencies {
  readonly registerApp: Pick<RegisterApp, 'execute'>;
  readonly catalog: Pick<AppCatalog, 'get'>;
  readonly keys: IdempotencyKeys;
}

/** Registers an app once, even if requests with the same `Idempotency-Key` are repeated. */
export class RegisterAppOnce {
  constructor(private readonly dependencies: RegisterAppOnceDependencies) {}

  /**
   * Registers an app, or repeats the response to an earlier request with the same key.
   * @param requestId included in the problem of a rejection, and stored with it for replays.
   * @throws {InvalidRequest} for a malformed key. @throws {IdempotencyMismatch} @throws {IdempotencyInProgress}
   * @throws the errors of `RegisterApp`.
   */
  async execute(member: Member, registration: RegisterAppRequest, requestId: string): Promise<RegistrationResponse> {
    const { registerApp, keys } = this.dependencies;
    const { idempotencyKey: key } = registration;
    if (key === undefined) return created(await registerApp.execute(member, registration));
    if (!KEY.test(key)) throw new InvalidRequest('Idempotency-Key must be 1 to 255 visible ASCII characters.');
    const request = { organization: member.organization, key, fingerprint: fingerprintOf(registration) };
    const state = await keys.begin(request);
    if (state.kind === 'mismatch') throw new IdempotencyMismatch();
    if (state.kind === 'running') throw new IdempotencyInProgress();
    if (state.kind === 'completed') return { ...state.response, isReplayed: true };
    if (state.kind === 'unfinished') return this.#resume(member, request, state.appId);
    return this.#registerOnce(member, request, { ...registration, requestId });
  }

  async #registerOnce(
    member: Member,
    request: IdempotentRequest,
    { requestId, ...registration }: RegisterAppRequest & { requestId: string },
  ) {
    try {
      return await this.#store(request, created(await this.dependencies.registerApp.execute(member, registration)));
    } catch (error) {
      const problem = error instanceof DomainError ? problemOf(error, requestId) : undefined;
      // A temporary failure is not stored, so that the next request with the key tries again.
      if (problem === undefined || problem.status >= 500)
        await this.dependencies.keys.release(request).catch(() => undefined);
      else
        await this.dependencies.keys.finish(request, { status: problem.status, body: problem }).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Completes a request that registered the app but ended before its response was stored. The response has the current
   * state of the app.
   */
  async #resume(member: Member, request: IdempotentRequest, appId: string): Promise<RegistrationResponse> {
    const app = await this.dependencies.catalog.get(member, appId).catch((error: unknown) => {
      if (error instanceof AppNotFound) throw new IdempotencyMismatch();
      throw error;
    });
    return { ...(await this.#store(request, created(app))), isReplayed: true };
  }

  /** The app exists, so the response is sent even if it cannot be stored. */
  async #store(request: IdempotentRequest, response: RegistrationResponse): Promise<RegistrationResponse> {
    await this.dependencies.keys.finish(request, response).catch(() => undefined);
    return response;
  }
}

function created(body: App): RegistrationResponse {
  return { status: 201, body, isReplayed: false };
}

function fingerprintOf({ name, type }: RegisterAppRequest): string {
  return hash('sha256', JSON.stringify([name, type]), 'base64url');
}
