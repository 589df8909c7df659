import { describe, expect, it } from '@jest/globals';
import { isHashedName, mayBeHashed } from './hashed-name';

const HASHED = [
  // Angular, esbuild
  'main-ABCDEFGH.js',
  'main-5QK3VKWS.js',
  'chunk-2YQH7JX6.js',
  'chunk-FFHMD2TL.js',
  'polyfills-B6TNHZQ6.js',
  'styles-5INURTSO.css',
  'worker-JC6PZ3QX.js',
  'main-5QK3VKWS.js.map',
  'media/inter-latin-K3X7PQ2Z.woff2',
  'media/logo-X5TQ7CBA.png',
  'de/main-5QK3VKWS.js',
  // older Angular
  'main.a1b2c3d4e5f60718.js',
  'main-es2015.0a1b2c3d4e5f60718293.js',
  'styles.ef46db3751d8e999a1b2.css',
  // webpack, Create React App, Vue CLI
  'main.0123abcd.js',
  'static/js/main.8d1f0a3b.chunk.js',
  'static/js/main.8d1f0a3b.chunk.js.map',
  'static/js/2.4e5f6a7b.chunk.js.LICENSE.txt',
  'static/css/main.073c9b0a.css',
  'static/media/logo.6ce24c58023cc2f8fd88fe9d219db6c6.svg',
  'js/chunk-vendors.c0ffee12.js',
  'js/app.3f2a1b0c.min.js',
  'runtime~main.a8a9905a.js',
  '6ce24c58023cc2f8fd88.png',
  // Parcel, Gatsby
  'index.a1b2c3d4.js',
  'webpack-runtime-0f2a7d5fcd6d9c8b8a7e.js',
  'component---src-pages-index-js-0a1b2c3d4e5f60718293.js',
  // Vite, Rollup, Astro, Nuxt
  'assets/index-BxYz12_a.js',
  'assets/index-C4nQ8xT1.css',
  'assets/vendor-a7Kp2ZqL.js',
  'assets/logo-D9fK2mXa.svg',
  'assets/index-BxYz12_a.js.map',
  'chunk-BZSpDrtY.js',
  'settings-B2bWuJMu.js',
  'playwright/assets/index.B_TqY17P.css',
  '_astro/hoisted.C8k2Lm0P.js',
  '_nuxt/entry.Bq7Xk2Tz.css',
  // folders that contain only hashed files
  '_next/static/chunks/main-app.js',
  '_next/static/XyZ123/_buildManifest.js',
  '_next/static/media/a34f9d1faa5f3315-s.p.woff2',
  '_app/immutable/nodes/0.js',
];

const NOT_HASHED = [
  'index.html',
  'main-5QK3VKWS.html',
  '_next/static/page.html',
  'main.js',
  'styles.css',
  'favicon.ico',
  'robots.txt',
  'ngsw.json',
  'ngsw-worker.js',
  'sw.js',
  'service-worker.js',
  'workbox-sw.js',
  'manifest.webmanifest',
  'asset-manifest.json',
  // words
  'ui-DataGrid.js',
  'ui-dataGrid.js',
  'jquery-datepicker.js',
  'lib-calendar.js',
  'lib-Calendar.js',
  'lib.bootstrap.js',
  'app-DOWNLOAD.js',
  'app-CHAPTER2.js',
  'img-DISTRICT.png',
  'img-2NDFLOOR.png',
  'img-PORTRAIT.jpg',
  'docs-Chapter2.js',
  'docs-Part2End.js',
  'js/feedback.js',
  'convert-SvgToPng.js',
  'convert-JSXtoTSX.js',
  'convert-XMLtoSVG.js',
  'app-iOSAppUI.js',
  'app-GoToMyUi.js',
  'icons-SvgIcons.js',
  'ui-Web3Auth.js',
  'scan-Part1-2A.jpg',
  'cmaps/Adobe-Japan1-3.bcmap',
  'page.defaced1.css',
  'a-deadbeef.js',
  'a-facade10.js',
  'a.decade2024.js',
  'Inter-SemiBold.woff2',
  'OpenSans-BoldItal.ttf',
  // dates, versions and numbers
  'report-20261122.pdf',
  'photo-20261122.jpg',
  'photo-20261122a.jpg',
  'log.20261122ab.js',
  'IMG_20261122.jpg',
  'DSC-12345678.jpg',
  'jquery-3.7.1.min.js',
  'jquery-3.7.1.slim.min.js',
  'bootstrap.bundle.min.js',
  'lib-v1_2_3_4.js',
  'lib-1.20240101.js',
  'fullcalendar-6.1.10.js',
  'pdf.worker.min.mjs',
  // UUIDs, whole names, documents and short tokens
  'photo-550e8400-e29b-41d4-a716-44665544000a.jpg',
  'docs/AB12CD34.js',
  'a1b2c3d4.js',
  'invoice-5QK3VKWS.pdf',
  'data-5QK3VKWS.json',
  '0123abc.js',
  'main.0123abc.js',
  'main.0123ABCD.js',
  'main-.js',
  '-.js',
  '.js',
  '',
];

describe('isHashedName', () => {
  it.each(HASHED)('recognizes %s', (path) => {
    expect(isHashedName(path)).toBe(true);
    expect(mayBeHashed(path)).toBe(true);
  });

  it.each(NOT_HASHED)('does not recognize %s', (path) => {
    expect(isHashedName(path)).toBe(false);
  });
});

describe('mayBeHashed', () => {
  it.each([
    'assets/index-DiwrgTda.js',
    'assets/chunk-4HJsd-Cv.js',
    'assets/chunk--x-y-z-w.js',
    'ui-DataGrid.js',
    'main_abcdefgh.js',
    'main.abcdefgh.chunk.js.map',
    'assets/de-4HJsd8Cv.json',
    '_nuxt/DiwrgTda.js',
    'img/a1b2c3d4.png',
  ])('accepts %s', (path) => {
    expect(mayBeHashed(path)).toBe(true);
  });

  it.each([
    'index.html',
    'report-20261122.pdf',
    'customer-database.csv',
    'Passwords1.txt',
    'page-ABCDEFGH.html',
    'a/b.js',
    'main.js',
    'main-1234567.js',
    'datepicker.js',
    'a.b.c',
    '',
  ])('does not accept %s', (path) => {
    expect(mayBeHashed(path)).toBe(false);
  });

  it('is fast for names that try to cause backtracking', () => {
    for (const unit of ['a.', '-aaaaaaa', '.aaaaaaa', 'A1', '_', 'a-'])
      for (const judge of [isHashedName, mayBeHashed]) expect(judge(`${unit.repeat(10_000)}!.js`)).toBeDefined();
  });
});
