import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUBBLEWRAP, DEBIAN_POSTGRES, findPrograms, KNOT, NGINX, startKnot, startNginx } from '@homeport/dev-services';
import { blockOf, replaced } from './self-hosted-guide';
import { DOMAIN, PRODUCT, type ProxyPlan, SelfHostedProduct } from './self-hosted-product';
import { echoThroughWebSocket, WEBSOCKET_APP } from './websocket-app';
import { isFull } from './suites';

const installed = await Promise.all(
  [BUBBLEWRAP, DEBIAN_POSTGRES, KNOT, NGINX].map((programs) => findPrograms(programs)),
);

/** The guide's file is one of several that Debian's nginx includes. */
function startGuideNginx({ httpPort, httpsPort, places }: ProxyPlan) {
  const listeners = {
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'listen 443 ': `listen 127.0.0.1:${httpsPort} `,
  };
  const http = replaced(blockOf('nginx', '# /etc/nginx/conf.d/homeport.conf'), { ...places, ...listeners });
  return startNginx({ http, server: 'return 404;' });
}

// `npm test` reports missing programs; in CI that is a failure.
(installed.every((found) => found !== undefined) ? describe : describe.skip)('docs/self-hosting.md', () => {
  let product: SelfHostedProduct;
  let hostname: string;
  beforeAll(async () => {
    product = await SelfHostedProduct.start({
      startNameServer: (domain) => startKnot({ domain }),
      startProxy: startGuideNginx,
      withRuntime: true,
    });
  });
  afterAll(() => product?.close());

  it('serves a deployed app by https through nginx', async () => {
    const app = await product.deploy({ name: 'Shop' }, { 'index.html': '<h1>Self-hosted</h1>' });
    ({ hostname } = app);
    expect(app).toMatchObject({ hostname: `shop.${DOMAIN}`, url: `https://shop.${DOMAIN}`, dns_status: 'dns-active' });
    expect(await product.call(hostname, '/')).toEqual({ status: 200, body: '<h1>Self-hosted</h1>' });
  });

  it('runs an SSR app, also by WebSocket through nginx', async () => {
    const app = await product.deploy({ name: 'Chat', type: 'ssr' }, WEBSOCKET_APP);
    expect((await product.call(app.hostname, '/')).body).toBe('<h1>Rendered</h1>');
    expect(await echoThroughWebSocket(app.hostname, product.httpsPort, 'Hello')).toBe('Hello');
  });

  it('serves the client', async () => {
    expect(await product.call(PRODUCT, '/')).toMatchObject({ status: 200, body: expect.stringContaining('<hp-root') });
  });

  it('redirects from http', async () => {
    const answer = await fetch(`http://127.0.0.1:${product.httpPort}/a?b=c`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'https://127.0.0.1/a?b=c']);
  });

  it('continues to serve while one instance of each restarts', async () => {
    for (const at of isFull ? [0, 1] : [0]) {
      const restart = await product.stopOfEach(at);
      expect((await product.call(PRODUCT, '/api/apps')).status).toBe(200);
      expect((await product.call(hostname, '/')).status).toBe(200);
      await restart();
    }
  });
});
