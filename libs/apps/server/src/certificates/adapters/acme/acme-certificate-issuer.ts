import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { AcmeAccounts } from '../../application/acme-accounts.port';
import { CertificateIssuer, type IssuanceOptions, type IssuanceStep } from '../../application/certificate-issuer.port';
import type { ChallengeAnswer } from '../../application/challenge-answers.port';
import type { ChallengePublisher } from '../../application/challenge-publisher';
import type { CertificateOrder, OrderProgress } from '../../domain/certificate-order';
import { IssuanceFailed } from '../../domain/issuance-failed';
import { directoryAfter } from '../../domain/order-schedule';
import { AcmeConnection, keyAuthorization } from './acme-connection';
import {
  type AcmeAuthorization,
  type AcmeOrder,
  challengeOf,
  parseAuthorization,
  parseOrder,
  reasonOf,
} from './acme-order';
import { retryAfterOf } from './acme-problems';
import { AcmeRegistration, type ExternalAccount } from './acme-registration';
import { newPrivateKey, readChain, renewalIdOf, signingRequest } from './certificate-files';
import { readRenewalAdvice } from './renewal-information';

export interface AcmeOptions {
  /** URLs; at least one. The next one is used after some failures. */
  readonly directories: readonly string[];
  readonly dispatcher: Dispatcher;
  readonly accounts: AcmeAccounts;
  readonly email?: string | undefined;
  /** For the first directory. */
  readonly externalAccount?: ExternalAccount | undefined;
  readonly publisher: ChallengePublisher;
  /** The name of the TXT record for the challenges of an order. */
  readonly challengeNameOf: (order: CertificateOrder) => string;
  readonly now?: () => Date;
}

/** The authority validates meanwhile; a later call continues. */
const MAX_POLLS = 20;
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 3_000;
const WAIT_MS = 15_000;

interface Authority {
  readonly url: string;
  readonly connection: AcmeConnection;
  readonly account: AcmeRegistration;
}

/** Gets certificates from authorities that speak ACME (RFC 8555), with the advice for renewals of RFC 9773. */
export class AcmeCertificateIssuer extends CertificateIssuer {
  readonly isManaged = false;
  readonly #authorities = new Map<string, Authority>();

  constructor(private readonly options: AcmeOptions) {
    super();
  }

  async advance(order: CertificateOrder, options: IssuanceOptions): Promise<IssuanceStep> {
    if (order.progress) return this.#continue(order, order.progress, options);
    const authority = this.#authorityFor(order);
    const { accounts, now = () => new Date() } = this.options;
    await accounts.get(authority.url);
    const delayMs = await accounts.reserveOrder(authority.url, now());
    if (delayMs > 0) return { outcome: 'waiting', retryAfterMs: delayMs };
    const progress = await this.#place(order, authority, options.signal);
    await options.save(progress);
    return this.#continue(order, progress, options);
  }

  async caaIdentities(signal: AbortSignal, order?: CertificateOrder): Promise<readonly string[]> {
    const authorities = order
      ? [this.#authorityFor(order)]
      : this.options.directories.map((directory) => this.#authorityAt(directory));
    const directories = await Promise.all(authorities.map(({ connection }) => connection.directory(signal)));
    return directories.flatMap(({ meta }) => meta?.caaIdentities ?? []);
  }

  async renewalAdvice(certificate: { readonly chain: string; readonly directory: string }, signal: AbortSignal) {
    return readRenewalAdvice(this.#authorityAt(certificate.directory).connection, certificate.chain, signal);
  }

  async #place(order: CertificateOrder, { url, connection, account }: Authority, signal: AbortSignal) {
    const { newOrder, renewalInfo } = await connection.directory(signal);
    const replaced =
      order.replaces?.directory === url && renewalInfo ? await renewalIdOf(order.replaces.chain) : undefined;
    const identifiers = order.names.map((value) => ({ type: 'dns', value }));
    const payload = { identifiers, ...(replaced !== undefined && { replaces: replaced }) };
    const { headers } = await account.post(newOrder, payload, signal);
    if (typeof headers['location'] !== 'string') throw new IssuanceFailed('unavailable', 'the order has no URL');
    return { directory: url, url: headers['location'], privateKey: newPrivateKey() };
  }

  async #continue(
    order: CertificateOrder,
    progress: OrderProgress,
    { signal }: IssuanceOptions,
  ): Promise<IssuanceStep> {
    const { account } = this.#authorityAt(progress.directory);
    const answers: ChallengeAnswer[] = [];
    try {
      let state = parseOrder((await account.post(progress.url, undefined, signal)).body);
      if (state.status === 'pending') {
        await this.#answer({ order, account, directory: progress.directory, answers }, state, signal);
        state = await this.#poll(account, progress.url, 'pending', signal);
      }
      if (state.status === 'ready') {
        await account.post(state.finalize, { csr: await signingRequest(order.names, progress.privateKey) }, signal);
        state = await this.#poll(account, progress.url, 'processing', signal);
      }
      return await this.#outcomeOf(account, state, progress, signal);
    } finally {
      // The answers are no secrets, and expire.
      await Promise.allSettled(answers.map((answer) => this.options.publisher.withdraw(answer, signal)));
    }
  }

  async #outcomeOf(
    account: AcmeRegistration,
    state: AcmeOrder,
    { directory, privateKey }: OrderProgress,
    signal: AbortSignal,
  ): Promise<IssuanceStep> {
    if (state.status === 'invalid') throw await this.#explain(account, state, signal);
    if (state.status !== 'valid' || state.certificate === undefined) {
      return { outcome: 'waiting', retryAfterMs: WAIT_MS };
    }
    const { body } = await account.post(state.certificate, undefined, signal);
    return { outcome: 'issued', certificate: { ...readChain(String(body)), privateKey, directory } };
  }

  /** Publishes the answers to all open challenges, then tells the authority. */
  async #answer(context: AnswerContext, state: AcmeOrder, signal: AbortSignal): Promise<void> {
    const { account, order, answers } = context;
    const urls: string[] = [];
    for (const url of state.authorizations) {
      const authorization = parseAuthorization((await account.post(url, undefined, signal)).body);
      if (authorization.status !== 'pending') continue;
      const challenge = challengeOf(authorization, order.challenge);
      const answer = await this.#answerTo(context, authorization, challenge.token);
      answers.push(answer);
      await this.options.publisher.publish(answer, signal);
      if (challenge.status === 'pending') urls.push(challenge.url);
    }
    for (const url of urls) await account.post(url, {}, signal);
  }

  async #answerTo(
    { order, directory }: AnswerContext,
    { identifier }: AcmeAuthorization,
    token: string,
  ): Promise<ChallengeAnswer> {
    const { privateKey } = await this.options.accounts.get(directory);
    const value = await keyAuthorization(token, privateKey);
    const type = order.challenge;
    if (type === 'http-01') return { name: identifier.value, type, token, value };
    if (type === 'tls-alpn-01') return { name: identifier.value, type, token: '', value };
    const digest = createHash('sha256').update(value).digest('base64url');
    return { name: this.options.challengeNameOf(order), type, token: '', value: digest };
  }

  /** Waits until the order leaves a state, for a limited time. */
  async #poll(account: AcmeRegistration, url: string, left: AcmeOrder['status'], signal: AbortSignal) {
    for (let poll = 0; ; poll += 1) {
      const response = await account.post(url, undefined, signal);
      const state = parseOrder(response.body);
      if (state.status !== left || poll === MAX_POLLS) return state;
      const delayMs = retryAfterOf(response) ?? FIRST_POLL_MS * 2 ** poll;
      await setTimeout(Math.min(delayMs, MAX_POLL_MS), undefined, { signal });
    }
  }

  async #explain(account: AcmeRegistration, state: AcmeOrder, signal: AbortSignal): Promise<IssuanceFailed> {
    for (const url of state.authorizations) {
      const authorization = parseAuthorization((await account.post(url, undefined, signal)).body);
      if (authorization.status === 'invalid') return new IssuanceFailed('challenge-failed', reasonOf(authorization));
    }
    return new IssuanceFailed('rejected', 'the authority ended the order');
  }

  #authorityFor({ failures, progress }: CertificateOrder): Authority {
    return this.#authorityAt(progress?.directory ?? directoryAfter(this.options.directories, failures));
  }

  #authorityAt(url: string): Authority {
    const known = this.#authorities.get(url);
    if (known) return known;
    const { accounts, directories, dispatcher, email, externalAccount } = this.options;
    const connection = new AcmeConnection(url, dispatcher);
    const binding = url === directories[0] ? externalAccount : undefined;
    const account = new AcmeRegistration(url, connection, { accounts, email, externalAccount: binding });
    const authority = { url, connection, account };
    this.#authorities.set(url, authority);
    return authority;
  }
}

interface AnswerContext {
  readonly order: CertificateOrder;
  readonly account: AcmeRegistration;
  readonly directory: string;
  /** Those that were published, to be withdrawn. */
  readonly answers: ChallengeAnswer[];
}
