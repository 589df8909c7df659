// Set-up file of the unit tests: loads what only some of them need.
import { expect } from '@jest/globals';

const path = expect.getState().testPath ?? '';
if (/\/(apps\/api|tools)\//.test(path)) await import('./load-jose.mjs');
if (/\/(web|client)\//.test(path)) await import('@angular/localize/init');
