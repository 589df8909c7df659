import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogueOf, difference, languages, pasteable, serverMessagesOf } from './catalogue.ts';
import { readCode, root, extractMessages } from './messages.ts';
import { isTranslated, serverSentences } from './server-sentences.ts';
import { templateMessages, untranslatedIn } from './templates.ts';

/** Files in which all text must be translatable. */
const COVERED = /^(apps\/client\/src|libs\/[^/]+\/web)\//;

describe('message extraction', () => {
  it('reads templates like the compiler, regardless of line breaks', () => {
    const template = `
      <p i18n>
        Delete <b>{{ name() }}</b>?
      </p>
      <p i18n>Used <hp-relative-time [at]="at()" />.</p>
      <hp-piece i18n-heading="verb|" heading="Open" />
      <p i18n>{count(), plural, =1 {1 file} other {{{ count() }} files}}</p>
      @if (open()) { <i i18n>Closed</i> }`;
    expect(templateMessages(template, 'seed.html')).toEqual([
      'Delete {$START_BOLD_TEXT}{$INTERPOLATION}{$CLOSE_BOLD_TEXT}?',
      'Used {$START_TAG_HP_RELATIVE_TIME}{$CLOSE_TAG_HP_RELATIVE_TIME}.',
      'verb|Open',
      '{VAR_PLURAL, plural, =1 {1 file} other {{INTERPOLATION} files}}',
      'Closed',
    ]);
  });

  it('reads code and reports messages that are read too early', () => {
    const { keys, early, templates, untranslated } = readCode(
      'seed.ts',
      'const a = $localize`Early`; class B { static c = $localize`Also`; d = $localize`Hi ${this.e}:name:!`; }' +
        ' const f = () => $localize`:noun|:Share`; const g = { template: `<p>${""}</p>` }; h({ template: `<p>x</p>` }); i("It went away."); k = { "As a name": 1 };' +
        ' throw new RangeError("This is a fault"); const j = $localize`Two words`; const k = `Use ${l} now`;',
    );
    expect(keys).toEqual(['Early', 'Also', 'Hi {$name}!', 'noun|Share', 'Two words']);
    expect(early.map(({ words }) => words)).toEqual(['Early', 'Also', 'Two words']);
    expect(untranslated.map(({ words }) => words)).toEqual(['It went away.']);
    expect(templates.map(({ text }) => text)).toEqual(['<p>x</p>']);
  });

  it('finds text that is not marked for translation', () => {
    const template = `
      <p title="Hint" i18n>Marked {{ a() }}</p><p title="Hint" i18n-title class="row">{{ a() ? 'Yes' : b() }}</p>
      @switch (c()) { @case ('one') { Text } } <button [attr.aria-label]="'Close ' + name()">×</button>
      @for (d of e; track d) { <hp-piece [heading]="f() === 'ready' ? f() : g('key')" text="Words" /> } @empty { None }
      <i i18n-aria-label aria-label="Name">×</i><i i18n-aria-label aria-label="Lost {{ h() }}">×</i>`;
    expect(untranslatedIn(template, 'seed.html').map(({ words }) => words)).toEqual([
      'Hint',
      'Yes',
      'Text',
      'Close',
      'Words',
      'None',
      'Lost',
    ]);
  });
});

describe('the client', () => {
  const { messages, untranslated, early } = extractMessages();

  it('is completely translatable', () => {
    const left = untranslated.filter(({ file }) => COVERED.test(file));
    expect(left.map(({ file, words }) => `${file}: ${words}`)).toEqual([]);
  });

  it('reads no messages while its modules load, before the language is known', () => {
    expect(early).toEqual([]);
  });

  it.each(languages())('has a complete catalogue for %s without stale entries', (language) => {
    const { missing, stale, placeholderMismatches } = difference(catalogueOf(language), messages);
    expect(`missing:\n${pasteable(missing)}`).toBe('missing:\n');
    expect({ stale, placeholderMismatches }).toEqual({ stale: [], placeholderMismatches: [] });
  });
});

/** Inside words: people know their files, deploys and sign-in, not what stores them. */
const INSIDE_WORDS = /\b(database|blobs?|buckets?|leases?|object storage)\b|Datenbank/i;

it('problems of the server say what does not work for people', () => {
  const files = globSync('libs/{kernel,*/server}/src/**/*.errors.ts', { cwd: root });
  const english = files.flatMap((file) => serverSentences(file, readFileSync(join(root, file), 'utf8')));
  expect(english.length).toBeGreaterThan(40);
  const german = [...JSON.stringify(serverMessagesOf('de').problems).matchAll(/"(?:title|detail)":"([^"]+)"/g)].map(
    ([, text = '']) => text,
  );
  expect([...english, ...german].filter((sentence) => INSIDE_WORDS.test(sentence))).toEqual([]);
});

describe.each(languages())('the server messages in %s', (language) => {
  const { problems, texts } = serverMessagesOf(language);
  const read = (pattern: string): string[] =>
    globSync(pattern, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));

  it('contain exactly the problems of the server', () => {
    const errors = read('libs/{kernel,*/server}/src/**/*.errors.ts').join('\n');
    const codes = [...errors.matchAll(/readonly code = '([^']+)'/g)].map(([, code]) => code ?? '');
    expect(codes.length).toBeGreaterThan(30);
    expect(Object.keys(problems).sort()).toEqual([...new Set(codes)].sort());
  });

  it('contain all sentences about archives, servers, rules, DNS records and domains', () => {
    const folders = 'libs/apps/server/src/{deploys/{domain,adapters/archive},{dns,domains}/domain}/*.ts';
    const files = [
      folders,
      'libs/apps/server/src/deploys/application/{site-rule-files,start-server}.ts',
      'libs/apps/server/src/server-detection/domain/*.ts',
      'libs/hosting/server/src/runtime/{application/start-checks,adapters/lambda/lambda-package}.ts',
      'libs/apps/server/src/domains/application/{domain-inspector,domain-presenter}.ts',
      'libs/hosting/contracts/src/*.ts',
    ]
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      // Errors of deploys are translated by their codes; people do not meet those of cursors.
      .filter((file) => !/\.spec\.ts$|deploys\.errors\.ts$|cursor\.ts$/.test(file));
    const sentences = files.flatMap((file) => serverSentences(file, readFileSync(join(root, file), 'utf8')));
    expect(sentences.length).toBeGreaterThan(60);
    expect(sentences.filter((sentence) => !isTranslated(sentence, texts))).toEqual([]);
  });

  it('have the advice about a failed start before the reasons, which match it too', () => {
    const [advice = ''] = read('libs/apps/server/src/server-detection/domain/start-advice.ts');
    const positions = serverSentences('', advice).map((each) => Object.keys(texts).indexOf(`{$reason} ${each}`));
    expect(positions.length).toBeGreaterThan(5);
    expect(Math.min(...positions)).toBeGreaterThan(0);
    expect(Math.max(...positions)).toBeLessThan(Object.keys(texts).indexOf('The start failed: {$reason}.'));
  });

  it('keep the values of their sentences', () => {
    const namesIn = (text: string) => [...text.matchAll(/\{\$\w+\}/g)].map(([name]) => name).sort();
    const changed = Object.entries(texts).filter(
      ([text, translation]) => `${namesIn(text)}` !== `${namesIn(translation)}`,
    );
    expect(changed).toEqual([]);
  });

  it('contain all texts of the price catalog', () => {
    const catalog = read('libs/pricing/catalog/{*,usage/*}.json').join('\n');
    const said = [...catalog.matchAll(/"(?:label|statement)": "([^"]+)"/g)].map(([, text]) => text ?? '');
    const included = [...catalog.matchAll(/"includes": \[([^\]]+)\]/g)].flatMap(([, list]) => JSON.parse(`[${list}]`));
    expect(said.length).toBeGreaterThan(10);
    expect([...said, ...included].filter((text) => !Object.hasOwn(texts, text))).toEqual([]);
  });
});
