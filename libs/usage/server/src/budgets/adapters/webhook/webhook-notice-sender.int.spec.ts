import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { noticeSenderContract, sampleNotice } from '../../../testing/notice-sender.contract';
import { WebhookNoticeSender } from './webhook-notice-sender';

const keys = [randomBytes(32), randomBytes(32)];
const PATH = '/hooks?token=secret';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on a free port. */
class Receiver {
  readonly received: Received[] = [];
  status = 204;
  readonly #server: Server;

  constructor(answer?: RequestListener) {
    this.#server = createServer(async (request, response) => {
      const { method, url, headers } = request;
      this.received.push({ method, url, headers, body: await text(request) });
      if (answer) answer(request, response);
      else response.writeHead(this.status, { location: '/elsewhere' }).end();
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${PATH}`;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

noticeSenderContract(WebhookNoticeSender.name, async () => {
  const receiver = new Receiver();
  const sender = new WebhookNoticeSender({ url: await receiver.listen(), keys });
  return {
    sender,
    accepted: () =>
      receiver.status === 204 ? receiver.received.map(({ headers }) => String(headers['webhook-id'])) : [],
    refuse: () => (receiver.status = 503),
    stop: () => receiver.stop(),
  };
});

describe('WebhookNoticeSender', () => {
  let receiver: Receiver;
  afterEach(() => receiver.stop());
  const open = async (answer?: RequestListener, timeoutMs?: number) => {
    receiver = new Receiver(answer);
    const url = await receiver.listen();
    return new WebhookNoticeSender({ url, keys, ...(timeoutMs && { timeoutMs }) }, () => 1_795_000_000_500);
  };

  it('posts JSON with a signature by each key', async () => {
    await (await open()).send(sampleNotice);
    const [{ method, url, headers, body } = {} as Received] = receiver.received;
    expect([method, url, headers['content-type']]).toEqual(['POST', PATH, 'application/json']);
    expect(JSON.parse(body)).toEqual({
      type: 'usage.budget-reached',
      timestamp: '2026-11-27T08:30:00.000Z',
      data: { organization: 'northwind', period: '2026-11', percent: 75, budget_usd: '250', total_usd: '190.12' },
    });
    expect(headers).toMatchObject({ 'webhook-id': sampleNotice.id, 'webhook-timestamp': '1795000000' });
    const signed = `${sampleNotice.id}.1795000000.${body}`;
    const expected = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(headers['webhook-signature']).toBe(expected.join(' '));
  });

  it.each([301, 307, 400, 410, 500])('does not count %d as sent, and follows no redirect', async (status) => {
    const sender = await open();
    receiver.status = status;
    await expect(sender.send(sampleNotice)).rejects.toThrow(`The receiver of budget notices answered ${status}`);
    expect(receiver.received).toHaveLength(1);
  });

  it('ends the wait for a receiver that does not answer, and keeps the address secret', async () => {
    const sender = await open(() => undefined, 50);
    const refused = await sender.send(sampleNotice).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'NoticeNotSent', cause: { name: 'TimeoutError' } });
    expect(String((refused as Error).stack)).not.toContain('token=secret');
  });

  it('reads no endless answer', async () => {
    await (await open((_, response) => void response.writeHead(200).write('x'))).send(sampleNotice);
    expect(receiver.received).toHaveLength(1);
  });
});
