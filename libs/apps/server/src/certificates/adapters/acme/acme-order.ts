import { z } from 'zod';
import { CHALLENGE_TYPES } from '../../domain/certificate-order';
import { IssuanceFailed } from '../../domain/issuance-failed';
import { describeProblem } from './acme-problems';

const CHALLENGE = z.looseObject({
  type: z.string(),
  url: z.url(),
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/)
    .optional(),
  status: z.string(),
  error: z.unknown().optional(),
});
const AUTHORIZATION = z.looseObject({
  status: z.string(),
  identifier: z.looseObject({ value: z.string() }),
  challenges: z.array(CHALLENGE),
});
const ORDER = z.looseObject({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(z.url()).max(100),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: z.unknown().optional(),
});
export type AcmeOrder = z.infer<typeof ORDER>;
export type AcmeAuthorization = z.infer<typeof AUTHORIZATION>;
export type AcmeChallenge = z.infer<typeof CHALLENGE>;

/** @throws {IssuanceFailed} */
export function parseOrder(body: unknown): AcmeOrder {
  return parse(ORDER, body);
}

/** @throws {IssuanceFailed} */
export function parseAuthorization(body: unknown): AcmeAuthorization {
  return parse(AUTHORIZATION, body);
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new IssuanceFailed('unavailable', 'the authority returned an unexpected response');
  return parsed.data;
}

/** The challenge of a type. @throws {IssuanceFailed} when the authority does not offer it. */
export function challengeOf(
  { challenges }: AcmeAuthorization,
  type: (typeof CHALLENGE_TYPES)[number],
): AcmeChallenge & { readonly token: string } {
  const challenge = challenges.find((each) => each.type === type);
  if (challenge?.token === undefined) throw new IssuanceFailed('rejected', `the authority does not offer ${type}`);
  return { ...challenge, token: challenge.token };
}

/** Why an authorization is invalid, in the words of the authority. */
export function reasonOf(authorization: AcmeAuthorization): string {
  const [reason] = authorization.challenges.map(({ error }) => describeProblem(error)).filter(Boolean);
  return `${authorization.identifier.value}: ${reason ?? `authorization ${authorization.status}`}`;
}
