import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { signInByLoopback } from './loopback-sign-in';

it('goes on after a request without an address', async () => {
  let issuer = '';
  const identityService = createServer((_, response) => {
    const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ issuer, ...endpoints }));
  }).listen(0, '127.0.0.1');
  try {
    await once(identityService, 'listening');
    issuer = `http://127.0.0.1:${(identityService.address() as AddressInfo).port}`;
    const abort = new AbortController();
    let status = 0;
    const open = async (address: string) => {
      const redirect = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
      status = (await fetch(`${redirect.origin}//`)).status;
      abort.abort(new Error('interrupted'));
    };
    const signIn = signInByLoopback({ issuer, clientId: 'cli', scope: 'openid', signal: abort.signal, open });
    await expect(signIn).rejects.toThrow('interrupted');
    expect(status).toBe(404);
  } finally {
    identityService.closeAllConnections();
    identityService.close();
  }
});
