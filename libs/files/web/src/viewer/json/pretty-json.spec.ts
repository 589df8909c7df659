import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { prettyJson } from './pretty-json';

describe('prettyJson', () => {
  it('indents with two spaces', () => {
    expect(prettyJson('{"b":[1,{"a":null}],"e":{},"l":[]}').text).toBe(
      '{\n  "b": [\n    1,\n    {\n      "a": null\n    }\n  ],\n  "e": {},\n  "l": []\n}',
    );
  });

  it.each([
    '12345678901234567890',
    '1.0',
    '1e400',
    '-0',
    '0.1000000000000000055511151231257827',
    '"\\u0041\\/"',
    '"a  b: {, }"',
    '"\\\\"',
    'true',
    ' null ',
  ])('does not change the token %s', (token) => {
    expect(prettyJson(token).text).toBe(token.trim());
  });

  it('keeps the order of keys, and repeated keys', () => {
    expect(prettyJson('{"b":1,"2":2,"1":3,"b":4}').text).toBe('{\n  "b": 1,\n  "2": 2,\n  "1": 3,\n  "b": 4\n}');
  });

  it.each(['', '{', '{"a":1,}', "{'a':1}", '01', 'NaN', '{} {}'])('does not touch %s, which is not JSON', (source) => {
    expect(prettyJson(source)).toEqual({ fault: 'invalid' });
  });

  it('rejects JSON that is nested too deeply', () => {
    expect(prettyJson('['.repeat(50_000) + ']'.repeat(50_000))).toEqual({ fault: 'too-deep' });
  });

  it('formats like JSON.stringify with two spaces, for any white space', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t', 7), (json, space) => {
        const value: unknown = JSON.parse(json);
        // Compares after a round trip, which loses some details of numbers and keys; the cases above cover these.
        const round = JSON.stringify(value);
        expect(prettyJson(JSON.stringify(JSON.parse(round), null, space)).text).toBe(
          JSON.stringify(JSON.parse(round), null, 2),
        );
      }),
      { numRuns: 500 },
    );
  });
});
