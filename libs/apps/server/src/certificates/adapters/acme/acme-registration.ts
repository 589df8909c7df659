import { createPrivateKey, createSecretKey } from 'node:crypto';
import { FlattenedSign } from 'jose';
import type { AcmeAccounts } from '../../application/acme-accounts.port';
import { IssuanceFailed } from '../../domain/issuance-failed';
import { type AcmeConnection, type AcmeSigner, publicJwk } from './acme-connection';
import type { AcmeResponse } from './acme-problems';

/** Binds the account to one that exists at the authority already (RFC 8555, section 7.3.4). */
export interface ExternalAccount {
  readonly keyId: string;
  /** The MAC key, decoded. */
  readonly key: Buffer;
}

export interface AcmeRegistrationOptions {
  readonly accounts: AcmeAccounts;
  readonly email: string | undefined;
  readonly externalAccount: ExternalAccount | undefined;
}

/** Signs requests with the account of this installation, and registers it when it is needed. */
export class AcmeRegistration {
  constructor(
    private readonly directory: string,
    private readonly connection: AcmeConnection,
    private readonly options: AcmeRegistrationOptions,
  ) {}

  /**
   * A request that the account signs. An account that the authority does not know any more is registered again.
   * @throws {IssuanceFailed}
   */
  async post(url: string, payload: unknown, signal: AbortSignal): Promise<AcmeResponse> {
    const signer = await this.#signer(signal);
    try {
      return await this.connection.post(url, payload, signer, signal);
    } catch (error) {
      if (!(error instanceof IssuanceFailed) || !error.message.startsWith('accountDoesNotExist')) throw error;
      await this.options.accounts.setUrl(this.directory, undefined);
      return this.connection.post(url, payload, await this.#signer(signal), signal);
    }
  }

  async #signer(signal: AbortSignal): Promise<AcmeSigner> {
    const { privateKey, url } = await this.options.accounts.get(this.directory);
    const key = createPrivateKey(privateKey);
    return { key, accountUrl: url ?? (await this.#register({ key, accountUrl: undefined }, signal)) };
  }

  /** Repeating is safe: the authority returns the account of the key. */
  async #register(signer: AcmeSigner, signal: AbortSignal): Promise<string> {
    const { email } = this.options;
    const { newAccount } = await this.connection.directory(signal);
    const account = {
      termsOfServiceAgreed: true,
      ...(email !== undefined && { contact: [`mailto:${email}`] }),
      ...(await this.#binding(signer, newAccount)),
    };
    const { headers } = await this.connection.post(newAccount, account, signer, signal);
    if (typeof headers['location'] !== 'string') throw new IssuanceFailed('unavailable', 'the account has no URL');
    await this.options.accounts.setUrl(this.directory, headers['location']);
    return headers['location'];
  }

  async #binding({ key }: AcmeSigner, url: string) {
    const { externalAccount } = this.options;
    if (!externalAccount) return {};
    const binding = await new FlattenedSign(Buffer.from(JSON.stringify(await publicJwk(key))))
      .setProtectedHeader({ alg: 'HS256', kid: externalAccount.keyId, url })
      .sign(createSecretKey(externalAccount.key));
    return { externalAccountBinding: binding };
  }
}
