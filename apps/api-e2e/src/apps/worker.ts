import type { Answer, Member } from './member';

type Fate = 'absent' | 'there' | 'unknown';

/** What the one who works on a name knows of it. */
export interface Name {
  readonly text: string;
  fate: Fate;
  /** While it is there. */
  id?: string | undefined;
  /** Of a registration whose answer did not come. */
  key?: string | undefined;
  /** Whether what was found may change yet: a commit of a killed process may still be under way. */
  isDoubtful?: boolean;
}

/** Lost is what was not answered, or not by the database: it may have happened. */
export type Outcome = 'acknowledged' | 'lost';

/** One member who registers and deletes names that are nobody else's, and remembers what was acknowledged. */
export class Worker {
  readonly names: readonly Name[];
  readonly wrong: string[] = [];
  #keys = 0;

  constructor(
    readonly member: Member,
    private readonly label: string,
    private readonly random: () => number,
    names: number,
  ) {
    this.names = Array.from({ length: names }, (_, n) => ({ text: `${label}-${n}`, fate: 'absent' }));
  }

  /** One call about a name. @param base where it goes first. */
  async step(base: string): Promise<Outcome> {
    const name = this.names[Math.floor(this.random() * this.names.length)] as Name;
    if (name.fate === 'there') return this.random() < 0.2 ? this.#retry(base, name) : this.#delete(base, name);
    if (name.fate === 'unknown' && name.key === undefined) return this.#find(base, name);
    return this.#register(base, name);
  }

  async #register(base: string, name: Name): Promise<Outcome> {
    const key = name.key ?? (this.random() < 0.5 ? `${this.label}-${this.#keys++}` : undefined);
    const isRepeated = name.key !== undefined;
    const answer = await this.member.register(base, name.text, key);
    if (isLost(answer)) return this.#lose(name, key);
    if (isRepeated && answer.body.code === 'platform.idempotency-in-progress') return 'acknowledged';
    if (answer.status === 201) this.#know(name, answer.body.id);
    else if (name.isDoubtful && answer.body.code === 'apps.subdomain-taken') name.fate = 'unknown';
    else this.#complain(name, 'register', answer);
    return 'acknowledged';
  }

  async #delete(base: string, name: Name): Promise<Outcome> {
    const answer = await this.member.delete(base, name.id as string);
    if (isLost(answer)) return this.#lose(name, undefined);
    if (answer.status === 200 || (name.isDoubtful && answer.status === 404)) this.#know(name, undefined);
    else this.#complain(name, 'delete', answer);
    return 'acknowledged';
  }

  async #retry(base: string, name: Name): Promise<Outcome> {
    const answer = await this.member.retry(base, name.id as string);
    if (isLost(answer)) return 'lost';
    if (answer.status === 404 && name.isDoubtful) this.#know(name, undefined);
    else if (answer.status !== 202) this.#complain(name, 'retry', answer);
    return 'acknowledged';
  }

  /** Whether what was not answered has happened. */
  async #find(base: string, name: Name): Promise<Outcome> {
    const answer = await this.member.list(base);
    if (isLost(answer)) return 'lost';
    const app = answer.body.items.find(({ subdomain }) => subdomain === name.text);
    this.#know(name, app?.id);
    name.isDoubtful = true;
    return 'acknowledged';
  }

  #know(name: Name, id: string | undefined): void {
    Object.assign(name, { fate: id === undefined ? 'absent' : 'there', id, key: undefined, isDoubtful: false });
  }

  #lose(name: Name, key: string | undefined): Outcome {
    Object.assign(name, { fate: 'unknown', id: undefined, key });
    return 'lost';
  }

  #complain(name: Name, what: string, { status, body }: Answer<unknown>): void {
    this.wrong.push(`${what} ${name.text}: ${status} ${body.code ?? JSON.stringify(body)}`);
  }
}

/** On a machine that is busy enough a new connection to PostgreSQL takes longer than the API waits. */
function isLost({ status }: Answer<unknown>): boolean {
  return status === 0 || status === 503;
}
