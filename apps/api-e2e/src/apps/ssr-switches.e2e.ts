import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { settings, signIn } from '../homeport';
import { suiteSize, until } from '../suites';
import { DeployClient } from './deploy-client';
import { KeepAliveVisitor } from './keep-alive-visitor';
import { pageIn, scriptOf, versionedBuild } from './ssr-builds';
import { visit } from './visit';

const VISITORS = suiteSize(10, 100);
const SWITCHES = suiteSize(1, 6);
/** Whole pages that each visitor opens between two switches. */
const PAGES = 3;

const BUILDS = { first: versionedBuild('first', '5f3a9c1e'), second: versionedBuild('second', 'b07d42c8') };

/** Opens pages with their scripts, without a pause. */
class PageReader {
  readonly failures: string[] = [];
  /** The version of the last page, and the number of pages of it in a row. */
  seen = { version: '', pages: 0 };

  constructor(private readonly visitor: KeepAliveVisitor) {}

  async readUntil(isDone: () => boolean): Promise<void> {
    while (!isDone()) await this.#read().catch((error: Error) => this.failures.push(error.message));
  }

  async #read(): Promise<void> {
    const { status, body } = await this.visitor.ask({ path: '/' });
    const page = pageIn(body);
    if (status !== 200 || !page) throw new Error(`The page was ${status}: ${body.slice(0, 80)}`);
    const { version, script } = page;
    const loaded = await this.visitor.ask({ path: script });
    if (loaded.status !== 200 || loaded.body !== scriptOf(version))
      throw new Error(`The script of ${version} was ${loaded.status}: ${loaded.body.slice(0, 80)}`);
    this.seen = { version, pages: version === this.seen.version ? this.seen.pages + 1 : 1 };
  }
}

describe('a switch between deploys of an SSR app', () => {
  const port = Number(settings['EDGE_PORT']);
  let ada: DeployClient;
  let app: App;
  let hostname: string;
  let deploys: readonly [first: string, second: string];

  beforeAll(async () => {
    ada = new DeployClient((await signIn('ada')).token);
    app = await ada.register('Switch', 'ssr');
    ({ hostname } = new URL(app.url));
    const second = await ada.deploy(app.id, BUILDS.second);
    const first = await ada.deploy(app.id, BUILDS.first);
    expect([first.status, second.status]).toEqual([201, 201]);
    deploys = [first.body.id, second.body.id];
    await until(async () => (await visit(app.url)).body.includes('first'));
  });

  it(`fails no request of ${VISITORS} visitors, shows no mixed pages, and lets streams finish`, async () => {
    const visitors = Array.from({ length: VISITORS }, () => new KeepAliveVisitor(port, hostname));
    const readers = visitors.map((visitor) => new PageReader(visitor));
    const failures = () => readers.flatMap((reader) => reader.failures);
    let isDone = false;
    const reading = readers.map((reader) => reader.readUntil(() => isDone || failures().length > 0));
    for (let count = 1; count <= SWITCHES; count += 1) {
      const [from, to] = count % 2 === 1 ? ['first', 'second'] : ['second', 'first'];
      const stream = await openStream(new KeepAliveVisitor(port, hostname));
      const { status } = await ada.activate(deploys[count % 2] as string);
      expect(status).toBe(200);
      const haveSwitched = () => readers.every(({ seen }) => seen.version === to && seen.pages >= PAGES);
      await until(() => haveSwitched() || failures().length > 0);
      expect(await stream.end()).toBe(`${from}:begun, ended:end`);
    }
    isDone = true;
    await Promise.all(reading);
    for (const visitor of visitors) visitor.close();
    expect(failures()).toEqual([]);
  });
});

/** Begins a request whose body ends later. @returns what the server sent for the whole body. */
async function openStream(visitor: KeepAliveVisitor): Promise<{ end(): Promise<string> }> {
  const sent = visitor.send({ path: '/', method: 'POST' });
  sent.write('begun');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = text(response);
  return {
    end: async () => {
      sent.end(', ended');
      const received = await body;
      visitor.close();
      return received;
    },
  };
}
