import { describe, expect, it } from '@jest/globals';
import { isNavigation } from './navigation';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('isNavigation', () => {
  it.each([
    [{ 'sec-fetch-mode': 'navigate' }, '/main.js', true],
    [{ 'sec-fetch-mode': 'navigate', accept: '*/*' }, '/a', true],
    [{ 'sec-fetch-mode': 'cors', accept: HTML }, '/a', false],
    [{ 'sec-fetch-mode': 'no-cors' }, '/a.png', false],
    [{ accept: HTML }, '/orders/17', true],
    [{ accept: HTML }, '/page.html', true],
    [{ accept: HTML }, '/v1.2/users', true],
    [{ accept: HTML }, '/john.doe', true],
    [{ accept: HTML }, '/main.js', false],
    [{ accept: HTML }, '/a.PNG', false],
    [{ accept: '*/*' }, '/orders/17', false],
    [{}, '/', false],
  ])('%j at %s: %s', (headers, path, expected) => {
    expect(isNavigation(headers, path)).toBe(expected);
  });
});
