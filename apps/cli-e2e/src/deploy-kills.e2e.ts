import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { visit } from '@homeport/hosting/server/testing/visit';
import { isFull, Machine, random, settings, uniqueName, url } from './command-line';
import { CountingProxy, type Exchange } from './counting-proxy';

interface Deploy {
  readonly id: string;
  readonly files: readonly { readonly path: string; readonly digest: string }[];
}

const KILLS = isFull ? 50 : 3;
const FILES = 12;
/** Of the requests to find the app, to start the deploy, for the files, and to finish. */
const STEPS = (FILES + 3) * 3;
const BLOB = /^\/api\/deploys\/[^/]+\/blobs\/(sha256:[0-9a-f]{64})$/;

const blobsOf = (exchanges: readonly Exchange[]) => exchanges.flatMap(({ path }) => BLOB.exec(path)?.[1] ?? []);
const arrivedIn = (exchanges: readonly Exchange[]) => exchanges.filter(({ status }) => status === 204);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The content of each path; all of them are new, and one path differs from the sites before. */
function siteOf(round: number): Record<string, string> {
  const names = Array.from({ length: FILES - 2 }, (_, index) => `pages/${index}.txt`);
  const paths = ['index.html', `only-${round}.txt`, ...names];
  return Object.fromEntries(paths.map((path) => [path, `${path} of round ${round} in ${process.pid}`.repeat(400)]));
}

describe('killing homeport deploy', () => {
  let machine: Machine;
  let proxy: CountingProxy;
  let app: { readonly id: string; readonly url: string; readonly subdomain: string };

  beforeAll(async () => {
    machine = await Machine.of('ada');
    proxy = await CountingProxy.start(url);
    app = await machine.json(['apps', 'register', uniqueName('Killed deploys')]);
  });
  afterAll(() => Promise.all([machine.remove(), proxy.close()]));

  const deploy = ['deploy', 'site', '--json', '--app'];
  const page = async (path: string) => {
    const { host, port } = new URL(app.url);
    return visit(Number(port || settings['EDGE_PORT']), { host, target: `/${path}` });
  };

  /** Starts a deploy and kills it after some steps of its requests. @returns whether it was killed. */
  async function killAfter(steps: number): Promise<boolean> {
    const { child, finished } = machine.start([...deploy, app.subdomain], { HOMEPORT_URL: proxy.url });
    let step = 0;
    proxy.onStep = () => step++ === steps && child.kill('SIGKILL');
    const { code } = await finished;
    proxy.onStep = () => undefined;
    // The API processes what has arrived in full, also after the client has been killed.
    await proxy.idle();
    return code === null;
  }

  async function expectLive(site: Record<string, string>): Promise<void> {
    const active = await machine.json<{ readonly active_deploy_id: string }>(['apps', 'show', app.subdomain]);
    const { files } = await machine.json<Deploy>(['deploys', 'show', active.active_deploy_id]);
    const expected = Object.entries(site).map(([path, text]) => [path, `sha-256:${sha256(text)}`]);
    expect(files.map(({ path, digest }) => [path, digest])).toEqual(expected.toSorted());
    while ((await page('')).body !== site['index.html']);
    for (const [path, text] of Object.entries(site)) expect((await page(path)).body).toBe(text);
  }

  it(`publishes exactly the folder when it is repeated, and sends nothing twice that arrived, ${KILLS} times`, async () => {
    let killed = 0;
    let saved = 0;
    for (let round = 0; round < KILLS; round++) {
      const site = siteOf(round);
      await rm(machine.path('work', 'site'), { recursive: true, force: true });
      await machine.write(Object.fromEntries(Object.entries(site).map(([path, text]) => [`site/${path}`, text])));
      const steps = Math.floor(random(`deploy ${round}`) * STEPS);
      proxy.exchanges.length = 0;
      await machine.renewToken('ada');
      const isKilled = await killAfter(steps);
      const arrived = blobsOf(arrivedIn(proxy.exchanges.splice(0)));
      if (isKilled) [killed, saved] = [killed + 1, saved + arrived.length];
      const { code, stderr } = await machine.run([...deploy, app.subdomain], '', { HOMEPORT_URL: proxy.url });
      expect([steps, code, stderr]).toEqual([steps, 0, expect.any(String)]);
      const sent = blobsOf(proxy.exchanges);
      expect([steps, [...arrived, ...sent].toSorted()]).toEqual([
        steps,
        Object.values(site)
          .map((text) => `sha256:${sha256(text)}`)
          .toSorted(),
      ]);
      await expectLive(site);
      if (round > 0) expect((await page(`only-${round - 1}.txt`)).status).toBe(404);
    }
    console.info(`${killed} of ${KILLS} deploys killed; ${saved} files were not sent again`);
  }, 3_000_000);
});
