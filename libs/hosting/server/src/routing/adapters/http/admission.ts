import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoadShedder } from '@homeport/platform/server/node-http';

/**
 * @returns a promise of false when the request is refused, and of true when it may start: in a later turn of the event
 * loop, if many wait. It stays pending when the connection closes before.
 */
export function waitForAdmission(
  shedder: Pick<LoadShedder, 'admit'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  return new Promise((resolve) => {
    if (!shedder.admit(request, response, () => resolve(true))) resolve(false);
  });
}
