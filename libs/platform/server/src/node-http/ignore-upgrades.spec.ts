import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ignoreUpgrades } from './ignore-upgrades';

/** @returns whether the server parses a request with this number of headers again. */
function parsesAgain(headers: number, maxHeadersCount: number | null): boolean {
  const server = createServer(() => undefined);
  server.maxHeadersCount = maxHeadersCount;
  ignoreUpgrades(server, () => false);
  const { shouldUpgradeCallback } = server as typeof server & {
    shouldUpgradeCallback: (request: Pick<IncomingMessage, 'rawHeaders'>) => boolean;
  };
  return shouldUpgradeCallback({ rawHeaders: Array<string>(headers * 2).fill('a') });
}

describe('ignoreUpgrades', () => {
  it.each([
    [999, null, true],
    [1_000, null, false],
    [4, 5, true],
    [5, 5, false],
    [3_000, 0, true],
  ])('with %i headers and a limit of %p, parses the head again: %p', (headers, limit, expected) => {
    expect(parsesAgain(headers, limit)).toBe(expected);
  });
});
