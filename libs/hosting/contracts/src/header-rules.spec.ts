import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompiledHeaders, parseHeaders } from './header-rules';

const TEXT = `
# Everything
/*
  X-Frame-Options: DENY
  Link: </a.css>; rel=preload
  Link: </b.css>; rel=preload

/docs/:page
  Cache-Control:public, max-age=60
  link: </c.css>
/empty
`;

describe('parseHeaders', () => {
  it('reads paths and the headers below them', () => {
    expect(parseHeaders(TEXT)).toEqual({
      rules: [
        {
          path: '/*',
          headers: [
            ['x-frame-options', 'DENY'],
            ['link', '</a.css>; rel=preload'],
            ['link', '</b.css>; rel=preload'],
          ],
        },
        {
          path: '/docs/:page',
          headers: [
            ['cache-control', 'public, max-age=60'],
            ['link', '</c.css>'],
          ],
        },
      ],
      problems: [],
    });
  });

  it.each([
    ['Set-Cookie: a=b', /cannot set the header "set-cookie"/],
    ['set-cookie2: a=b', /An app cannot set/],
    ['Clear-Site-Data: "*"', /An app cannot set/],
    ['Content-Length: 5', /An app cannot set/],
    ['Transfer-Encoding: chunked', /An app cannot set/],
    ['TE: trailers', /An app cannot set/],
    ['Vary: *', /An app cannot set/],
    ['Content-Location: /a', /An app cannot set/],
    ['WWW-Authenticate: Basic', /An app cannot set/],
    ['ETag: "a"', /An app cannot set/],
    ['Location: /a', /An app cannot set/],
    ['X-Deploy-Id: a', /An app cannot set/],
    ['X-Content-Type-Options: none', /An app cannot set/],
    ['Alt-Svc: clear', /An app cannot set/],
    ['Basic-Auth: ada:secret', /Passwords/],
    ['Bad Name: a', /name has characters/],
    ['Bäd: a', /name has characters/],
    [': a', /name has characters/],
    ['__proto__\u0001: a', /name has characters/],
    ['X-A: a\u0000b', /value is empty, or/],
    ['X-A: a\u007fb', /value is empty, or/],
    ['X-A: 日本', /value is empty, or/],
    ['X-A:', /value is empty, or/],
    ['! X-A', /neither a path/],
    ['just words', /neither a path/],
    ['https://x.example/*', /full URL/],
    ['/a/*/b', /"\*"/],
    [`X-A: ${'a'.repeat(2000)}`, /longer than 2,000/],
  ])('rejects %j', (line, reason) => {
    const { rules, problems } = parseHeaders(`/*\n  X-Good: yes\n  ${line}\n`);
    expect(rules).toEqual([{ path: '/*', headers: [['x-good', 'yes']] }]);
    expect(problems).toEqual([{ path: '_headers', line: 3, reason: expect.stringMatching(reason) }]);
  });

  it('skips headers without a path, or below a skipped path', () => {
    const { rules, problems } = parseHeaders('X-A: a\n/b/*/c\n  X-B: b\n/d\n  X-D: d');
    expect(rules).toEqual([{ path: '/d', headers: [['x-d', 'd']] }]);
    expect(problems.map(({ line }) => line)).toEqual([1, 2]);
  });

  it('accepts a hundred paths', () => {
    const text = Array.from({ length: 101 }, (_, i) => `/a${i}\n  X-A: a`).join('\n');
    const { rules, problems } = parseHeaders(text);
    expect(rules).toHaveLength(100);
    expect(problems).toEqual([expect.objectContaining({ line: 201 })]);
  });

  it.each([
    ['headers', 50, Array.from({ length: 60 }, (_, i) => `X-${i}: a`)],
    ['characters', 8, Array.from({ length: 60 }, () => `X-A: ${'a'.repeat(1_000)}`)],
  ])('accepts as many %s of a path as fit into a response', (_what, most, lines) => {
    const { rules, problems } = parseHeaders(['/a', ...lines, '/b', 'X-B: b'].join('\n'));
    expect(rules.map(({ headers }) => headers.length)).toEqual([most, 1]);
    expect(problems).toEqual([{ path: '_headers', line: most + 2, reason: expect.stringMatching(/left out/) }]);
  });

  it('accepts only headers that can be sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
        const { rules } = parseHeaders(`/*\nX${name}: ${value}`);
        for (const [sent, text] of rules.flatMap(({ headers }) => headers)) new Headers().append(sent, text);
        expect(JSON.stringify(rules)).not.toMatch(/\\[rn]/);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('CompiledHeaders', () => {
  const headers = new CompiledHeaders(JSON.parse(JSON.stringify(parseHeaders(TEXT).rules)));

  it('joins the values of all matching rules', () => {
    expect(headers.find('/')).toEqual([
      ['x-frame-options', 'DENY'],
      ['link', '</a.css>; rel=preload, </b.css>; rel=preload'],
    ]);
    expect(headers.find('/docs/a%20b')).toEqual([
      ['x-frame-options', 'DENY'],
      ['link', '</a.css>; rel=preload, </b.css>; rel=preload, </c.css>'],
      ['cache-control', 'public, max-age=60'],
    ]);
  });

  it('uses the media type of the last matching rule', () => {
    const text = '/*\n Content-Type: text/plain\n/a\n Content-Type: text/x-a\n Content-Type: text/x-b';
    const types = new CompiledHeaders(parseHeaders(text).rules);
    expect(types.find('/')).toEqual([['content-type', 'text/plain']]);
    expect(types.find('/a')).toEqual([['content-type', 'text/x-b']]);
  });

  it.each([
    ['headers', 50, 'a'],
    ['characters', 8, 'a'.repeat(1_000)],
  ])('finds as many %s as fit into a response, regardless of how many rules match', (_what, most, value) => {
    const { rules } = parseHeaders(Array.from({ length: 60 }, (_, i) => `/*\nX-${i}: ${value}`).join('\n'));
    expect(rules).toHaveLength(60);
    expect(new CompiledHeaders(rules).find('/a')).toHaveLength(most);
  });

  it.each([
    ['set-cookie', 'a=b'],
    ['content-length', '5'],
    ['Bad Name', 'x'],
    ['x-a\r\nx-b', 'x'],
    ['x-a', 'a\r\nset-cookie: b'],
    ['x-a', 'a\u2603'],
  ])('skips a stored header that must not be sent: %j: %j', (name, value) => {
    const stored = [
      {
        path: '/*',
        headers: [
          [name, value],
          ['x-good', 'yes'],
        ] as const,
      },
    ];
    expect(new CompiledHeaders(stored).find('/')).toEqual([['x-good', 'yes']]);
  });

  it('finds none for an invalid path', () => {
    expect(headers.find('/%zz')).toEqual([]);
    expect(headers.find('')).toEqual([]);
    expect(new CompiledHeaders([]).find('/')).toEqual([]);
  });
});
