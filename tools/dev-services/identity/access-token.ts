import { z } from 'zod';
import { SetupFailed } from '../errors.ts';
import { PEOPLE } from './people.ts';
import { completeSignIn } from './testing/sign-in-driver.ts';

const session = z.object({ access_token: z.string() });

/**
 * Signs a development person in as a browser does (authorization code with PKCE), for scripts that call the API.
 *
 * @param productUrl where the product runs; it must use the embedded identity service.
 * @param personId such as `ada`.
 * @returns an access token, valid for 10 minutes.
 * @throws {SetupFailed} when there is no such person, or the product does not let the person sign in.
 */
export async function accessTokenOf(productUrl: string, personId: string): Promise<string> {
  const person = PEOPLE.find(({ id }) => id === personId);
  if (!person)
    throw new SetupFailed(`There is no "${personId}". Choose one of: ${PEOPLE.map(({ id }) => id).join(', ')}.`);
  const { jar } = await completeSignIn(`${productUrl}/auth/sign-in?provider=${person.provider}`, { person: personId });
  const answer = await fetch(`${productUrl}/auth/session`, {
    headers: { cookie: jar.header(productUrl), 'sec-fetch-site': 'same-origin' },
  });
  if (!answer.ok) throw new SetupFailed(`${productUrl}/auth/session answered ${answer.status} after the sign-in.`);
  return session.parse(await answer.json()).access_token;
}
