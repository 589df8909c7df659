import { randomBytes } from 'node:crypto';
import { tarGzOf } from '@homeport/apps/server/testing';
import { suiteSize } from '@homeport/platform/server/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

const CALLS = suiteSize(1_000, 20_000);
const RUN = randomBytes(4).toString('hex');
/** Similar names, which a wrong comparison could confuse. */
const ORGANIZATIONS = [`o${RUN}`, `o${RUN}0`, `O${RUN}`];
const LOOKALIKES = [
  'u1',
  'u10',
  'U1',
  'u1/',
  'u1/../u1',
  'ü1',
  'u\u03081',
  '${sub}',
  'u1\n',
  ' u1',
  '%75%31',
  'u1\u200b',
];
const PATHS = ['a', 'ab', 'a/b', 'ab/c', 'threads/x.md', 'u1', '%C3%BC', 'A'];

let api: InProcessApi;

beforeAll(async () => {
  api = await startInProcessApi();
});

afterAll(() => api?.stop());

interface Answer {
  readonly status: number;
  readonly text: string;
}

function organizationOf(index: number): string {
  return ORGANIZATIONS[index % ORGANIZATIONS.length] as string;
}

/** A user with the expected contents of their files and a generator for random steps. */
class Person {
  readonly files = new Map<string, string>();
  readonly mark = `mark-${randomBytes(6).toString('hex')}`;
  #state: number;

  readonly organization: string;
  readonly subject: string;
  /** Only one user per organization changes apps, so that the expected apps are known. */
  readonly registers: boolean;

  constructor(
    index: number,
    private readonly token: string,
  ) {
    this.subject = LOOKALIKES[index] as string;
    this.organization = organizationOf(index);
    this.registers = index < ORGANIZATIONS.length;
    this.#state = index + 1;
  }

  /** @returns a pseudo-random number below `limit`; the sequence is the same in every run. */
  next(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  async call(method: string, path: string, body?: string | Buffer): Promise<Answer> {
    const type = typeof body === 'string' ? 'application/json' : 'application/gzip';
    const response = await fetch(api.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && path.startsWith('/api/apps') ? { 'content-type': type } : {}),
      },
      ...(body === undefined ? {} : { body: body as string }),
    });
    return { status: response.status, text: await response.text() };
  }
}

type Call = readonly [method: string, tail: string, body?: Buffer];
const APP_CALLS: readonly Call[] = [
  ['GET', ''],
  ['DELETE', ''],
  ['POST', '/dns/retry'],
  ['GET', '/deploys'],
  ['POST', '/deploys', tarGzOf({ name: 'index.html', body: 'x' })],
  ['POST', '/rollback'],
];
const DEPLOY_CALLS: readonly Call[] = [
  ['GET', ''],
  ['GET', '/files'],
  ['DELETE', ''],
  ['POST', '/activate'],
];

/** @returns the response without the request id, which differs in every response. */
function withoutRequestId({ status, text }: Answer): unknown {
  return { status, body: text === '' ? '' : { ...(JSON.parse(text) as object), request_id: '' } };
}

describe('tenancy', () => {
  let people: Person[];
  /** The apps of each organization, by id. */
  const apps = new Map<string, Set<string>>(ORGANIZATIONS.map((each) => [each, new Set()]));
  /** The deploys of each organization, including those of deleted apps. */
  const deploys = new Map<string, string[]>(ORGANIZATIONS.map((each) => [each, []]));
  const violations: string[] = [];
  const check = (right: boolean, what: string) => void (right || violations.push(what));

  beforeAll(async () => {
    people = await Promise.all(
      LOOKALIKES.map(async (sub, i) => new Person(i, await api.issuer.token({ sub, org_id: organizationOf(i) }))),
    );
  });

  /** Checks that a response contains no data of other users. */
  function checkForeign(person: Person, { text }: Answer, what: string): void {
    for (const other of people)
      if (other !== person) check(!text.includes(other.mark), `${what} shows ${other.subject}`);
  }

  async function fileStep(person: Person): Promise<void> {
    const path = PATHS[person.next(PATHS.length)] as string;
    const key = decodeURIComponent(path);
    const known = person.files.get(key);
    const step = person.next(10);
    if (step < 3) {
      const content = `${person.mark} ${person.next(1e9)}`;
      const { status } = await person.call('PUT', `/api/files/${path}`, content);
      check(status === (known === undefined ? 201 : 200), `PUT ${key} of ${person.subject}: ${status}`);
      person.files.set(key, content);
    } else if (step < 7) {
      const answer = await person.call('GET', `/api/files/${path}`);
      check(known === undefined ? answer.status === 404 : answer.text === known, `GET ${key} of ${person.subject}`);
      checkForeign(person, answer, `GET ${key}`);
    } else if (step < 8) {
      const { status } = await person.call('DELETE', `/api/files/${path}`);
      check(status === 204, `DELETE ${key}: ${status}`);
      person.files.delete(key);
    } else {
      await listStep(person, step === 8 ? '' : '&sort=-modified_at');
    }
  }

  async function listStep(person: Person, sort: string): Promise<void> {
    const prefix = ['', 'a', 'ab', 'u1'][person.next(4)] as string;
    const answer = await person.call('GET', `/api/files?limit=1000${sort}${prefix === '' ? '' : `&prefix=${prefix}`}`);
    const { items } = JSON.parse(answer.text) as { items: { key: string }[] };
    const own = [...person.files.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    check(JSON.stringify(items.map(({ key }) => key).toSorted()) === JSON.stringify(own), `LIST of ${person.subject}`);
    checkForeign(person, answer, 'LIST');
  }

  async function appStep(person: Person): Promise<void> {
    const own = apps.get(person.organization) as Set<string>;
    const isOthers = ([name]: readonly [string, unknown]) => name !== person.organization;
    const foreign = [...apps].filter(isOthers).flatMap(([, ids]) => [...ids]);
    const step = person.next(8);
    if (step === 0 && person.registers) return register(person, own);
    if (step === 1 && person.registers && own.size > 0) return remove(person, own);
    if (step === 2) {
      const answer = await person.call('GET', '/api/apps');
      const { items } = JSON.parse(answer.text) as { items: { name: string }[] };
      check(
        items.every(({ name }) => name.startsWith(`${person.organization} `)),
        `apps of ${person.organization}`,
      );
      return;
    }
    if (step === 3 && person.registers && own.size > 0) return deploy(person, own);
    if (step === 4) {
      const foreignDeploys = [...deploys].filter(isOthers).flatMap(([, ids]) => ids);
      return sameAsAbsent(person, { base: '/api/deploys', ids: foreignDeploys, calls: DEPLOY_CALLS });
    }
    return sameAsAbsent(person, { base: '/api/apps', ids: foreign, calls: APP_CALLS });
  }

  /** Checks that resources of other organizations and missing resources get the same response. */
  async function sameAsAbsent(
    person: Person,
    { base, ids, calls }: { base: string; ids: readonly string[]; calls: readonly Call[] },
  ): Promise<void> {
    const id = ids[person.next(ids.length)] ?? '00000000-0000-4000-8000-000000000000';
    const [method, tail, body] = calls[person.next(calls.length)] as Call;
    const foreign = await person.call(method, `${base}/${id}${tail}`, body);
    const missing = await person.call(method, `${base}/11111111-1111-4111-8111-111111111111${tail}`, body);
    // Deleting a missing deploy succeeds. The final check verifies that foreign deploys still exist.
    const expected = method === 'DELETE' && base === '/api/deploys' ? 204 : 404;
    check(foreign.status === expected, `${method} ${base}${tail} of others: ${foreign.status}`);
    check(
      JSON.stringify(withoutRequestId(foreign)) === JSON.stringify(withoutRequestId(missing)),
      `${method} ${base}${tail}: foreign and missing differ`,
    );
  }

  async function deploy(person: Person, own: Set<string>): Promise<void> {
    const id = [...own][person.next(own.size)] as string;
    // The same bytes in every organization: shared blobs must not reveal other organizations.
    const archive = tarGzOf({ name: 'index.html', body: 'the same for all' }, { name: 'mark', body: person.mark });
    const { status, text } = await person.call('POST', `/api/apps/${id}/deploys`, archive);
    check(status === 201, `deploying to ${id}: ${status}`);
    if (status === 201) deploys.get(person.organization)?.push((JSON.parse(text) as { id: string }).id);
  }

  async function register(person: Person, own: Set<string>): Promise<void> {
    // Names are unique across organizations. A conflict must not reveal the owner of the name.
    const name = `${person.organization} ${person.next(8)}`;
    const answer = await person.call('POST', '/api/apps', JSON.stringify({ name }));
    check([201, 409].includes(answer.status), `POST ${name}: ${answer.status}`);
    if (answer.status === 201) own.add((JSON.parse(answer.text) as { id: string }).id);
    const foreign = ORGANIZATIONS.filter((each) => each !== person.organization);
    check(
      foreign.every((each) => !answer.text.includes(`${each} `)),
      `POST ${name} shows another organization`,
    );
  }

  async function remove(person: Person, own: Set<string>): Promise<void> {
    const id = [...own][person.next(own.size)] as string;
    own.delete(id);
    const { status } = await person.call('DELETE', `/api/apps/${id}`);
    check(status === 200, `DELETE ${id}: ${status}`);
  }

  it(`isolates 12 users of 3 organizations through ${CALLS} random calls`, async () => {
    await Promise.all(
      people.map(async (person) => {
        for (let i = 0; i < CALLS / LOOKALIKES.length; i++) {
          await (person.next(10) === 0 ? appStep(person) : fileStep(person));
        }
      }),
    );
    for (const person of people) {
      for (const id of deploys.get(person.organization) ?? []) {
        const { status } = await person.call('GET', `/api/deploys/${id}`);
        check(status === 200, `deploy ${id} of ${person.organization}: ${status}`);
      }
    }
    expect(violations).toEqual([]);
  });
});
