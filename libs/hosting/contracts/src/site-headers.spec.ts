import { describe, expect, it } from '@jest/globals';
import { CompiledHeaders, parseHeaders } from './header-rules';
import { headerFault } from './site-headers';

const ALLOWED = `Access-Control-Allow-Origin Cache-Control Content-Disposition Content-Language Content-Security-Policy
  Content-Type Cross-Origin-Embedder-Policy Cross-Origin-Opener-Policy Cross-Origin-Resource-Policy Link
  Permissions-Policy Referrer-Policy Reporting-Endpoints Server-Timing Service-Worker-Allowed SourceMap
  Strict-Transport-Security Timing-Allow-Origin X-Clacks-Overhead X-DNS-Prefetch-Control X-Frame-Options X-Powered-By
  X-Robots-Tag X-UA-Compatible X-XSS-Protection X-Permitted-Cross-Domain-Policies X-Anything`.split(/\s+/);

const REJECTED = `X-Accel-Redirect X-Accel-Buffering X-Accel-Expires X-Sendfile X-Sendfile2 X-Sendfile-Type X-Send-File
  X-LIGHTTPD-send-file X-LiteSpeed-Location X-LiteSpeed-Cache-Control X-Reproxy-URL X-Reproxy-File X-Proxy-Pass
  X-Varnish X-Cache X-Cache-Control X-Edge-Location X-Amz-Meta-A X-Forwarded-Host X-Original-URL X-Rewrite-URL
  X-Akamai-Edgescape X-Fastly-Backend X-Nf-Request-Id X-Vercel-Cache X-Goog-Hash X-Envoy-Upstream-Service-Time
  X-Surrogate-Key X-Served-By X_Accel_Redirect X-Accel_Redirect X.Accel.Redirect
  Surrogate-Control Surrogate-Key Surrogate-Capability CDN-Cache-Control Cloudflare-CDN-Cache-Control
  Netlify-CDN-Cache-Control Vercel-CDN-Cache-Control Edge-Control Edge-Cache-Tag Cache-Tag Cache-Status xkey Alt-Svc
  NEL Report-To Clear-Site-Data Set-Cookie Content-Digest Status Via Warning Vary ETag Proxy-Status Trailer Upgrade
  X-Content-Type-Options X-Deploy-Id My-Own`.split(/\s+/);

describe('headers of a site', () => {
  it.each(ALLOWED)('may contain %s', (name) => {
    expect(headerFault(name.toLowerCase(), 'a')).toBeUndefined();
  });

  it.each(REJECTED)('must not contain %s, neither in a new file nor in stored rules', (name) => {
    expect(parseHeaders(`/*\n  ${name}: a`)).toEqual({
      rules: [],
      problems: [
        { path: '_headers', line: 2, reason: expect.stringContaining(`cannot set the header "${name.toLowerCase()}"`) },
      ],
    });
    expect(new CompiledHeaders([{ path: '/*', headers: [[name.toLowerCase(), 'a']] }]).find('/')).toEqual([]);
  });
});
