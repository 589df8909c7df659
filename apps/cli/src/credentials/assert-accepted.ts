import { ApiProblem, type Homeport, operations } from '@homeport/api-client';

/**
 * Asks the API whether it accepts the token of a connection. A token without the scope of this call is valid.
 * @throws {ApiProblem} 401.
 */
export async function assertAccepted({ client }: Homeport): Promise<void> {
  await operations.listApps({ client, query: { limit: 1 } }).catch((error: unknown) => {
    const isScope = error instanceof ApiProblem && [403, 404].includes(error.status);
    // Another server than Homeport has no codes.
    if (!isScope || error.code.startsWith('http.')) throw error;
  });
}
