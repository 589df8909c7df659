import { z } from 'zod';
import { SetupFailed } from '../errors.ts';
import { PEOPLE } from './people.ts';
import { completeSignIn } from './testing/sign-in-driver.ts';

const session = z.object({ access_token: z.string() });

/**
 * Signs a development user in like a browser (authorization code with PKCE), for scripts that call the API.
 *
 * @param productUrl URL of the product; it must use the embedded identity service.
 * @param personId for example `ada`.
 * @returns an access token, valid for 10 minutes.
 * @throws {SetupFailed} when the person does not exist, or the sign-in fails.
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
