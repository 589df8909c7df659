import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SiteHostnames } from '@homeport/hosting/contracts';
import { embeddedServices, type OutageLine, recordOutages } from '@homeport/platform/server/testing';
import { Client } from 'pg';
import { InterruptibleProxy } from '../../../testing/interruptible-proxy';
import { PostgresSiteChangeFeed } from './postgres-site-change-feed';

const url = () => embeddedServices()['DATABASE_URL'] as string;

/** Records the received hostnames and can wait for more. */
class ChangeRecorder extends EventTarget {
  readonly heard: (string | undefined)[] = [];

  readonly listen = (hostname: string | undefined): void => {
    this.heard.push(hostname);
    this.dispatchEvent(new Event('heard'));
  };

  async until(isEnough: (heard: readonly (string | undefined)[]) => boolean): Promise<void> {
    while (!isEnough(this.heard)) await once(this, 'heard');
  }
}

describe('PostgresSiteChangeFeed', () => {
  let proxy: InterruptibleProxy;
  let changes: PostgresSiteChangeFeed;
  let recorder: ChangeRecorder;
  let stop: AbortController;
  let outageLines: readonly OutageLine[];

  beforeEach(async () => {
    const interruptible = await InterruptibleProxy.to(url());
    proxy = interruptible.proxy;
    const { outages, lines } = recordOutages('postgres');
    outageLines = lines;
    changes = new PostgresSiteChangeFeed({
      url: interruptible.url,
      hostnames: new SiteHostnames('apps.test'),
      outages,
    });
    recorder = new ChangeRecorder();
    stop = new AbortController();
  });

  afterEach(async () => {
    stop.abort();
    await proxy.cut();
  });

  const listen = () => changes.listen(recorder.listen, stop.signal);
  const times = (count: number) => (heard: readonly (string | undefined)[]) =>
    heard.filter((hostname) => hostname === undefined).length >= count;

  async function notify(label: string): Promise<void> {
    const client = new Client({ connectionString: url() });
    await client.connect();
    await client.query(`select pg_notify('homeport_sites', $1)`, [label]);
    await client.end();
  }

  it('reports an unknown change at the start, and then each change', async () => {
    expect(changes.isConnected).toBe(false);
    listen();
    await recorder.until(times(1));
    expect(changes.isConnected).toBe(true);
    await notify('shop');
    await recorder.until((heard) => heard.includes('shop.apps.test'));
    // Other tests change sites in the same database.
    const [first, ...later] = recorder.heard;
    expect([first, later.includes(undefined)]).toEqual([undefined, false]);
  });

  it('starts when PostgreSQL becomes available', async () => {
    await proxy.cut();
    listen();
    expect(changes.isConnected).toBe(false);
    await proxy.restore();
    await recorder.until(times(1));
    const facts = outageLines.map(({ msg, cause }) => [msg, cause]);
    expect(facts).toEqual([
      ['dependency failed', expect.stringMatching(/^(ECONNREFUSED|ECONNRESET|connection-terminated)$/)],
      ['dependency recovered', facts[0]?.[1]],
    ]);
  });

  it('notices a closed connection, reconnects and reports an unknown change', async () => {
    listen();
    await recorder.until(times(1));
    const client = new Client({ connectionString: url() });
    await client.connect();
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'homeport-edge-changes'`,
    );
    await client.end();
    await recorder.until(times(2));
    await notify('later');
    await recorder.until((heard) => heard.includes('later.apps.test'));
    expect(outageLines).toMatchObject([
      { msg: 'dependency failed', operation: 'listen', cause: '57P01' },
      { msg: 'dependency recovered', cause: '57P01' },
    ]);
  });

  it('notices a connection that transfers no data', async () => {
    listen();
    await recorder.until(times(1));
    proxy.silence();
    while (changes.isConnected) await new Promise(setImmediate);
    await proxy.restore();
    await recorder.until(times(2));
    expect(changes.isConnected).toBe(true);
  });

  it('stops when the signal is aborted', async () => {
    listen();
    await recorder.until(times(1));
    stop.abort();
    while (changes.isConnected) await new Promise(setImmediate);
    expect(outageLines).toEqual([]);
  });
});
