import type { SiteFiles } from './archives';

/** The part of every page that no visitor may miss. */
const PADDING = 'x'.repeat(20_000);

export interface SsrPage {
  readonly version: string;
  /** The address of the script that belongs to the page. */
  readonly script: string;
}

/**
 * A build whose pages and scripts state their version. `/` is sent in two parts, and a request with a body is echoed
 * between the version and the word "end" while it arrives.
 * @param hash of the script's name, 8 hexadecimal digits.
 */
export function versionedBuild(version: string, hash: string): SiteFiles {
  return {
    'nitro.json': '{"preset":"node-server"}',
    [`public/_nuxt/entry.${hash}.js`]: scriptOf(version),
    'server/index.mjs': `
      import { createServer } from 'node:http';
      createServer((request, response) => {
        if (request.method === 'POST') {
          response.write('${version}:');
          request.on('data', (chunk) => response.write(chunk)).once('end', () => response.end(':end'));
          return;
        }
        response.setHeader('Content-Type', 'text/html');
        response.write('<html data-version="${version}"><script src="/_nuxt/entry.${hash}.js"></script>');
        setImmediate(() => response.end('${PADDING}<footer>${version}</footer></html>'));
      }).listen(process.env.PORT);`,
  };
}

export function scriptOf(version: string): string {
  return `show('${version}')`;
}

/** @returns undefined when the page is not whole, or its parts have different versions. */
export function pageIn(html: string): SsrPage | undefined {
  const found = /^<html data-version="(\w+)"><script src="([^"]+)"><\/script>(x+)<footer>(\w+)<\/footer><\/html>$/.exec(
    html,
  );
  const [, version, script, padding, footer] = found ?? [];
  const isWhole = version !== undefined && script !== undefined && version === footer && padding === PADDING;
  return isWhole ? { version, script } : undefined;
}
