import type { MemberResponse, MemberClient } from './member-client';

type NameState = 'absent' | 'there' | 'unknown';

/** What the one who works on a name knows of it. */
export interface TrackedName {
  readonly text: string;
  state: NameState;
  /** While it is there. */
  id?: string | undefined;
  /** Of a registration whose answer did not come. */
  key?: string | undefined;
  /** Whether what was found may change yet: a commit of a killed process may still be under way. */
  isUncertain?: boolean;
}

/** Lost is what was not answered, or not by the database: it may have happened. */
export type Outcome = 'acknowledged' | 'lost';

/** One member who registers and deletes names that are nobody else's, and remembers what was acknowledged. */
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

  /** One call about a name. @param base where it goes first. */
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
    if (isUnanswered(answer)) return this.#lose(name, key);
    if (isRepeated && answer.body.code === 'platform.idempotency-in-progress') return 'acknowledged';
    if (answer.status === 201) this.#know(name, answer.body.id);
    else if (name.isUncertain && answer.body.code === 'apps.subdomain-taken') name.state = 'unknown';
    else this.#complain(name, 'register', answer);
    return 'acknowledged';
  }

  async #delete(base: string, name: TrackedName): Promise<Outcome> {
    const answer = await this.member.delete(base, name.id as string);
    if (isUnanswered(answer)) return this.#lose(name, undefined);
    if (answer.status === 200 || (name.isUncertain && answer.status === 404)) this.#know(name, undefined);
    else this.#complain(name, 'delete', answer);
    return 'acknowledged';
  }

  async #retry(base: string, name: TrackedName): Promise<Outcome> {
    const answer = await this.member.retry(base, name.id as string);
    if (isUnanswered(answer)) return 'lost';
    if (answer.status === 404 && name.isUncertain) this.#know(name, undefined);
    else if (answer.status !== 202) this.#complain(name, 'retry', answer);
    return 'acknowledged';
  }

  /** Whether what was not answered has happened. */
  async #find(base: string, name: TrackedName): Promise<Outcome> {
    const answer = await this.member.list(base);
    if (isUnanswered(answer)) return 'lost';
    const app = answer.body.items.find(({ subdomain }) => subdomain === name.text);
    this.#know(name, app?.id);
    name.isUncertain = true;
    return 'acknowledged';
  }

  #know(name: TrackedName, id: string | undefined): void {
    Object.assign(name, { state: id === undefined ? 'absent' : 'there', id, key: undefined, isUncertain: false });
  }

  #lose(name: TrackedName, key: string | undefined): Outcome {
    Object.assign(name, { state: 'unknown', id: undefined, key });
    return 'lost';
  }

  #complain(name: TrackedName, what: string, { status, body }: MemberResponse<unknown>): void {
    this.violations.push(`${what} ${name.text}: ${status} ${body.code ?? JSON.stringify(body)}`);
  }
}

/** On a machine that is busy enough a new connection to PostgreSQL takes longer than the API waits. */
function isUnanswered({ status }: MemberResponse<unknown>): boolean {
  return status === 0 || status === 503;
}
