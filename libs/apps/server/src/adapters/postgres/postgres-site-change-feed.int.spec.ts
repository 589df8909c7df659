import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { embeddedServices, type OutageLine, recordOutages } from '@homeport/platform/server/testing';
import { Client } from 'pg';
import { InterruptibleProxy } from '../../testing/sites/interruptible-proxy';
import { PostgresSiteChangeFeed } from './postgres-site-change-feed';

const url = () => embeddedServices()['DATABASE_URL'] as string;

/** What was heard, and waits for more. */
class ChangeRecorder extends EventTarget {
  readonly heard: (string | undefined)[] = [];

  readonly listen = (label: string | undefined): void => {
    this.heard.push(label);
    this.dispatchEvent(new Event('heard'));
  };

  async until(isEnough: (heard: readonly (string | undefined)[]) => boolean): Promise<void> {
    while (!isEnough(this.heard)) await once(this, 'heard');
  }
}

describe('PostgresSiteChangeFeed', () => {
  let line: InterruptibleProxy;
  let changes: PostgresSiteChangeFeed;
  let ear: ChangeRecorder;
  let ended: AbortController;
  let broken: readonly OutageLine[];

  beforeEach(async () => {
    const cuttable = await InterruptibleProxy.to(url());
    line = cuttable.line;
    const { outages, lines } = recordOutages('postgres');
    broken = lines;
    changes = new PostgresSiteChangeFeed({ url: cuttable.url, outages });
    ear = new ChangeRecorder();
    ended = new AbortController();
  });

  afterEach(async () => {
    ended.abort();
    await line.cut();
  });

  const listen = () => changes.listen(ear.listen, ended.signal);
  const times = (count: number) => (heard: readonly (string | undefined)[]) =>
    heard.filter((label) => label === undefined).length >= count;

  async function notify(label: string): Promise<void> {
    const client = new Client({ connectionString: url() });
    await client.connect();
    await client.query(`select pg_notify('homeport_sites', $1)`, [label]);
    await client.end();
  }

  it('says that anything may have changed when it begins, and then what does', async () => {
    expect(changes.isConnected).toBe(false);
    listen();
    await ear.until(times(1));
    expect(changes.isConnected).toBe(true);
    await notify('shop');
    await ear.until((heard) => heard.includes('shop'));
    expect(ear.heard).toEqual([undefined, 'shop']);
  });

  it('begins when PostgreSQL is there at last', async () => {
    await line.cut();
    listen();
    expect(changes.isConnected).toBe(false);
    await line.restore();
    await ear.until(times(1));
    const facts = broken.map(({ msg, cause }) => [msg, cause]);
    expect(facts).toEqual([
      ['dependency failed', expect.stringMatching(/^(ECONNREFUSED|ECONNRESET|connection-terminated)$/)],
      ['dependency recovered', facts[0]?.[1]],
    ]);
  });

  it('notices that its connection broke, and says again that anything may have changed', async () => {
    listen();
    await ear.until(times(1));
    const client = new Client({ connectionString: url() });
    await client.connect();
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'homeport-edge-changes'`,
    );
    await client.end();
    await ear.until(times(2));
    await notify('later');
    await ear.until((heard) => heard.includes('later'));
    expect(broken).toMatchObject([
      { msg: 'dependency failed', operation: 'listen', cause: '57P01' },
      { msg: 'dependency recovered', cause: '57P01' },
    ]);
  });

  it('notices a connection on which nothing comes through any more', async () => {
    listen();
    await ear.until(times(1));
    line.silence();
    while (changes.isConnected) await new Promise(setImmediate);
    await line.restore();
    await ear.until(times(2));
    expect(changes.isConnected).toBe(true);
  });

  it('stops when it is told to', async () => {
    listen();
    await ear.until(times(1));
    ended.abort();
    while (changes.isConnected) await new Promise(setImmediate);
    expect(broken).toEqual([]);
  });
});
