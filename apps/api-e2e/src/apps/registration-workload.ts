import type { MemberResponse, MemberClient } from './member-client';

type NameState = 'absent' | 'there' | 'unknown';

/** The state of a name as its worker knows it. */
export interface TrackedName {
  readonly text: string;
  state: NameState;
  /** Set while the app exists. */
  id?: string | undefined;
  /** Set after a registration without a response. */
  key?: string | undefined;
  /** Whether the known state may still change: a transaction of a killed process may still commit. */
  isUncertain?: boolean;
}

/** `lost`: there was no response, or the database was unavailable. The change may have been made. */
export type Outcome = 'acknowledged' | 'lost';

/** Registers and deletes names that no other worker uses, and records acknowledged changes. */
export class RegistrationWorkload {
  readonly names: readonly TrackedName[];
  readonly violations: string[] = [];
  #keys = 0;

  constructor(
    readonly member: MemberClient,
    private readonly label: string,
    private readonly random: () => number,
    names: number,
  ) {
    this.names = Array.from({ length: names }, (_, n) => ({ text: `${label}-${n}`, state: 'absent' }));
  }

  /** Makes one call for a random name. @param base address of the API. */
  async step(base: string): Promise<Outcome> {
    const name = this.names[Math.floor(this.random() * this.names.length)] as TrackedName;
    if (name.state === 'there') return this.random() < 0.2 ? this.#retry(base, name) : this.#delete(base, name);
    if (name.state === 'unknown' && name.key === undefined) return this.#find(base, name);
    return this.#register(base, name);
  }

  async #register(base: string, name: TrackedName): Promise<Outcome> {
    const key = name.key ?? (this.random() < 0.5 ? `${this.label}-${this.#keys++}` : undefined);
    const isRepeated = name.key !== undefined;
    const answer = await this.member.register(base, name.text, key);
    if (isUnanswered(answer)) return this.#setUnknown(name, key);
    if (isRepeated && answer.body.code === 'platform.idempotency-in-progress') return 'acknowledged';
    if (answer.status === 201) this.#setKnown(name, answer.body.id);
    else if (name.isUncertain && answer.body.code === 'apps.subdomain-taken') name.state = 'unknown';
    else this.#recordViolation(name, 'register', answer);
    return 'acknowledged';
  }

  async #delete(base: string, name: TrackedName): Promise<Outcome> {
    const answer = await this.member.delete(base, name.id as string);
    if (isUnanswered(answer)) return this.#setUnknown(name, undefined);
    if (answer.status === 200 || (name.isUncertain && answer.status === 404)) this.#setKnown(name, undefined);
    else this.#recordViolation(name, 'delete', answer);
    return 'acknowledged';
  }

  async #retry(base: string, name: TrackedName): Promise<Outcome> {
    const answer = await this.member.retry(base, name.id as string);
    if (isUnanswered(answer)) return 'lost';
    if (answer.status === 404 && name.isUncertain) this.#setKnown(name, undefined);
    else if (answer.status !== 202) this.#recordViolation(name, 'retry', answer);
    return 'acknowledged';
  }

  /** Finds out whether an unanswered change was made. */
  async #find(base: string, name: TrackedName): Promise<Outcome> {
    const answer = await this.member.list(base);
    if (isUnanswered(answer)) return 'lost';
    const app = answer.body.items.find(({ subdomain }) => subdomain === name.text);
    this.#setKnown(name, app?.id);
    name.isUncertain = true;
    return 'acknowledged';
  }

  #setKnown(name: TrackedName, id: string | undefined): void {
    Object.assign(name, { state: id === undefined ? 'absent' : 'there', id, key: undefined, isUncertain: false });
  }

  #setUnknown(name: TrackedName, key: string | undefined): Outcome {
    Object.assign(name, { state: 'unknown', id: undefined, key });
    return 'lost';
  }

  #recordViolation(name: TrackedName, what: string, { status, body }: MemberResponse<unknown>): void {
    this.violations.push(`${what} ${name.text}: ${status} ${body.code ?? JSON.stringify(body)}`);
  }
}

/** A status of 503 is possible: on a busy machine a new database connection may exceed the time limit of the API. */
function isUnanswered({ status }: MemberResponse<unknown>): boolean {
  return status === 0 || status === 503;
}
