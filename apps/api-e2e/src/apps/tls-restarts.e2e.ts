import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Child, findPrograms, freePort, HAPROXY, startEdge, startHaproxy } from '@homeport/dev-services';
import { Installation } from '../installation';
import { suiteSize, until } from '../suites';
import { TlsTraffic } from './tls-traffic';

const VISITORS = suiteSize(16, 200);
const ROUNDS = suiteSize(1, 3);
const CHECK_MS = suiteSize(250, 2_000);
/** The duration of three checks. */
const SHUTDOWN_NOTICE_MS = String(suiteSize(750, 6_000));
const PAGE = 'x'.repeat(4_096);
const withHaproxy = (await findPrograms(HAPROXY)) ? describe : describe.skip;

withHaproxy('edges that terminate TLS behind HAProxy', () => {
  let installation: Installation;
  let host: string;
  let ca: Buffer;
  const ports: { plain: number; tls: number }[] = [];
  const edges: (Child | undefined)[] = [];
  let proxy: Awaited<ReturnType<typeof startHaproxy>>;
  let traffic: TlsTraffic;

  const start = async (at: number) => {
    const { plain: port, tls } = ports[at] as { plain: number; tls: number };
    const env = { ...installation.env, EDGE_TLS_PORT: String(tls), SHUTDOWN_NOTICE_MS, RUNTIME: 'off' };
    edges[at] = await startEdge({ port, host: '127.0.0.1', env: { PATH: process.env['PATH'], ...env } });
  };
  const bothAreUp = () => until(async () => (await proxy.instancesUp()) === 2);
  const failures = () => Object.fromEntries(traffic.failed);
  /** Until every visitor was answered a few times more. */
  const continues = () => {
    const { answered } = traffic;
    return until(() => traffic.answered > answered + VISITORS * 5);
  };

  beforeAll(async () => {
    installation = await Installation.start({ withTls: true });
    ca = await installation.root();
    const deployer = await installation.deployer();
    const app = await deployer.register('Restarted');
    expect((await deployer.deploy(app.id, { 'index.html': PAGE })).status).toBe(201);
    host = app.hostname;
    for (let at = 0; at < 2; at += 1) ports.push({ plain: await freePort(), tls: await freePort() });
    await Promise.all([start(0), start(1)]);
    proxy = await startHaproxy({
      instances: ports.map(({ tls }) => `127.0.0.1:${tls}`),
      checkPorts: ports.map(({ plain }) => plain),
      checkMs: CHECK_MS,
    });
    // The wildcard certificate of the platform domain arrives after the start.
    const first = new TlsTraffic({ port: proxy.port, host, ca }, 2, PAGE);
    await until(() => first.answered > 0);
    await first.stop();
  });
  afterEach(() => traffic?.stop());
  afterAll(async () => {
    await proxy?.close();
    await Promise.all(edges.map((edge) => edge?.close()));
    await installation?.close();
  });

  it('restart one after the other without a failed request', async () => {
    await bothAreUp();
    traffic = new TlsTraffic({ port: proxy.port, host, ca }, VISITORS, PAGE);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const at of [0, 1]) {
        await bothAreUp();
        await continues();
        await edges[at]?.close();
        await start(at);
      }
    }
    await bothAreUp();
    await continues();
    await traffic.stop();
    console.info(`${traffic.answered} answered`);
    expect(failures()).toEqual({});
  });

  it('lose the requests of a killed one alone, and serve by TLS again after its restart', async () => {
    await bothAreUp();
    traffic = new TlsTraffic({ port: proxy.port, host, ca }, VISITORS, PAGE);
    await continues();
    edges[0]?.process.kill('SIGKILL');
    await edges[0]?.exited;
    // Until HAProxy has noticed, it may send connections there.
    await until(async () => (await proxy.instancesUp()) === 1);
    await continues();
    const lost = failures();
    await continues();
    expect(failures()).toEqual(lost);
    await start(0);
    await bothAreUp();
    await edges[1]?.close();
    await continues();
    await traffic.stop();
    console.info(`${traffic.answered} answered, lost: ${JSON.stringify(lost)}`);
    expect(failures()).toEqual(lost);
    await start(1);
  });
});
