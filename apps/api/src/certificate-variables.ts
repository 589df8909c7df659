import { hostname, httpUrl, text } from '@homeport/platform/server/config';
import { z } from 'zod';
import { secureUrl } from './secure-url';

/** The minimum, because shorter secrets can be guessed. */
const MAC_KEY_BYTES = 16;
const macKey = text.transform((value, context) => {
  const key = Buffer.from(value, 'base64url');
  if (key.length >= MAC_KEY_BYTES) return key;
  context.addIssue(`is not base64url of ${MAC_KEY_BYTES} bytes or more`);
  return z.NEVER;
});

/** The variables of certificates for the hosts of apps. */
export const CERTIFICATE_VARIABLES = {
  CERTIFICATES: z.enum(['off', 'acme', 'cloudfront'], 'is not one of off, acme and cloudfront').optional(),
  CLOUDFRONT_DISTRIBUTION_ID: text.optional(),
  CLOUDFRONT_CONNECTION_GROUP_ID: text.optional(),
  CLOUDFRONT_ENDPOINT: httpUrl.optional(),
  ACME_DIRECTORY: secureUrl.optional(),
  ACME_DIRECTORY_2: secureUrl.optional(),
  ACME_EMAIL: text.optional(),
  ACME_CA_FILE: text.optional(),
  ACME_ZONE: hostname.optional(),
  ACME_EAB_KEY_ID: text.optional(),
  ACME_EAB_KEY: macKey.optional(),
};

/** Where certificates come from. */
type Issuer = 'off' | 'acme' | 'cloudfront';

interface IssuerSettings {
  readonly CERTIFICATES?: Issuer | undefined;
  readonly ACME_DIRECTORY?: string | undefined;
}

/** Who issues certificates; `off`: no one. */
export function issuerOf({ CERTIFICATES, ACME_DIRECTORY }: IssuerSettings): Issuer {
  return CERTIFICATES ?? (ACME_DIRECTORY === undefined ? 'off' : 'acme');
}

/** The required variables of certificates. */
export function certificateRequirements(
  env: IssuerSettings & { readonly ACME_EAB_KEY_ID?: string | undefined; readonly ACME_EAB_KEY?: unknown },
) {
  const issuer = issuerOf(env);
  return [
    ...(issuer === 'acme' ? (['ACME_DIRECTORY', 'SECRETS_KEYS'] as const) : []),
    ...(issuer === 'cloudfront' ? (['CLOUDFRONT_DISTRIBUTION_ID', 'SECRETS_KEYS'] as const) : []),
    ...(env.ACME_EAB_KEY_ID === undefined ? [] : (['ACME_EAB_KEY'] as const)),
    ...(env.ACME_EAB_KEY === undefined ? [] : (['ACME_EAB_KEY_ID'] as const)),
  ];
}
