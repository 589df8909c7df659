import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BIND,
  BUBBLEWRAP,
  CADDY,
  DEBIAN_POSTGRES,
  findPrograms,
  startBind,
  startCaddyWith,
} from '@homeport/dev-services';
import { blockOf, replaced } from './self-hosted-guide';
import { DOMAIN, PRODUCT, type ProxyPlan, SelfHostedProduct } from './self-hosted-product';
import { echoThroughWebSocket, WEBSOCKET_APP } from './websocket-app';

const installed = await Promise.all(
  [BIND, BUBBLEWRAP, CADDY, DEBIAN_POSTGRES].map((programs) => findPrograms(programs)),
);

function startGuideBind(domain: string) {
  return startBind({
    domain,
    zoneConfigurationOf: ({ key, zoneFile }) =>
      replaced(blockOf('named', '// /etc/bind/named.conf.local'), {
        // The output of tsig-keygen.
        'include "/etc/bind/homeport.key";': `key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };`,
        [`/var/lib/bind/${domain}.zone`]: zoneFile,
      }),
  });
}

function startGuideCaddy({ httpPort, httpsPort, places }: ProxyPlan) {
  const caddyfile = replaced(blockOf('caddyfile', '# /etc/caddy/Caddyfile'), places);
  return startCaddyWith({ caddyfile, httpPort, httpsPort });
}

(installed.every((found) => found !== undefined) ? describe : describe.skip)(
  'docs/self-hosting.md with BIND and Caddy',
  () => {
    let product: SelfHostedProduct;
    let hostname: string;
    beforeAll(async () => {
      product = await SelfHostedProduct.start({
        startNameServer: startGuideBind,
        startProxy: startGuideCaddy,
        withRuntime: true,
      });
    });
    afterAll(() => product?.close());

    it('serves a deployed app and the client by https through Caddy', async () => {
      const app = await product.deploy({ name: 'Shop' }, { 'index.html': '<h1>Self-hosted</h1>' });
      ({ hostname } = app);
      expect(app).toMatchObject({ hostname: `shop.${DOMAIN}`, dns_status: 'dns-active' });
      expect(await product.call(hostname, '/')).toEqual({ status: 200, body: '<h1>Self-hosted</h1>' });
      expect((await product.call(PRODUCT, '/')).body).toContain('<hp-root');
    });

    it('runs an SSR app, also by WebSocket through Caddy', async () => {
      const app = await product.deploy({ name: 'Chat', type: 'ssr' }, WEBSOCKET_APP);
      expect((await product.call(app.hostname, '/')).body).toBe('<h1>Rendered</h1>');
      expect(await echoThroughWebSocket(app.hostname, product.httpsPort, 'Hello')).toBe('Hello');
    });

    it('redirects from http', async () => {
      const answer = await new Promise<{ status?: number; location?: string }>((resolve, reject) => {
        const options = { host: '127.0.0.1', port: product.httpPort, path: '/a?b=c', headers: { host: PRODUCT } };
        get({ ...options, agent: false }, (response) => {
          response.resume();
          resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' });
        }).once('error', reject);
      });
      expect(answer).toEqual({ status: 308, location: expect.stringMatching(`^https://${PRODUCT}(:\\d+)?/a\\?b=c$`) });
    });

    it('continues to serve while one instance of each restarts', async () => {
      const restart = await product.stopOfEach(0);
      expect((await product.call(PRODUCT, '/api/apps')).status).toBe(200);
      expect((await product.call(hostname, '/')).status).toBe(200);
      await restart();
    });
  },
);
