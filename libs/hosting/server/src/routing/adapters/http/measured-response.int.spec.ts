import { once } from 'node:events';
import { createServer, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { markServedBy, type MeasuredVisit, measuredResponses } from './measured-response';

let server: Server;
let url: string;
let visits: MeasuredVisit[];

beforeEach(async () => {
  visits = [];
  const options = { ServerResponse: measuredResponses(ServerResponse, (visit) => visits.push(visit)) };
  server = createServer(options, ({ url: path }, response) => {
    if (path === '/server') markServedBy(response, 'server');
    if (path === '/early') response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    if (path === '/named') response.writeHead(404, 'Nothing', { 'X-Test': 'named' }).end();
    else response.writeHead(200, ['X-Test', 'flat']).end('body');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

describe('measuredResponses', () => {
  it('reports each response once, and sends it unchanged', async () => {
    const answers = [];
    for (const path of ['/', '/server', '/early', '/named']) answers.push(await fetch(url + path));
    expect(answers.map(({ status, headers }) => `${status} ${headers.get('x-test')}`)).toEqual([
      '200 flat',
      '200 flat',
      '200 flat',
      '404 named',
    ]);
    expect(answers[3]?.statusText).toBe('Nothing');
    await Promise.all(answers.map((each) => each.text()));
    expect(visits.map(({ servedBy, status }) => `${servedBy} ${status}`)).toEqual([
      'site 200',
      'server 200',
      'site 200',
      'site 404',
    ]);
    expect(visits.every(({ seconds }) => seconds >= 0 && seconds < 60)).toBe(true);
  });
});
