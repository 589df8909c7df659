import { describe, expect, it } from '@jest/globals';
import { isCompressible } from '../../blobs/application/blob-compression';
import { deployContentType } from './deploy-content-type';

describe('media type and compressibility', () => {
  it.each([
    ['index.html', 'text/html; charset=utf-8', true],
    ['app.js', 'text/javascript; charset=utf-8', true],
    ['chunk.mjs', 'text/javascript; charset=utf-8', true],
    ['styles.CSS', 'text/css; charset=utf-8', true],
    ['data.json', 'application/json; charset=utf-8', true],
    ['main.js.map', 'application/json; charset=utf-8', true],
    ['site.webmanifest', 'application/manifest+json; charset=utf-8', true],
    ['logo.svg', 'image/svg+xml; charset=utf-8', true],
    ['app.wasm', 'application/wasm', true],
    ['favicon.ico', 'image/vnd.microsoft.icon', true],
    ['photo.png', 'image/png', false],
    ['font.woff2', 'font/woff2', false],
    ['film.mp4', 'video/mp4', false],
    ['backup.zip', 'application/zip', false],
    ['LICENSE', 'application/octet-stream', false],
  ])('%s: %s', (path, type, compressible) => {
    expect([deployContentType(path), isCompressible(type)]).toEqual([type, compressible]);
  });
});
