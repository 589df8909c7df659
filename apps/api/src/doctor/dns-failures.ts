import type { Config } from '../config';
import type { Explanation } from './check';
import { networkExplanation, unknownFailure } from './network-failures';

/** @param code of the outermost cause, as in the log. */
export function explainDns(code: string, config: Config): Explanation {
  const { variable, service } = providerOf(config);
  const known = { ...signatureFailures(config), ...awsFailures(config), ...embeddedFailures(config) };
  return known[code] ?? networkExplanation(code, service, variable) ?? unknownFailure(code, service, variable);
}

/**
 * Explains a failed change after a successful read.
 * @param names what the key has to change.
 */
export function explainDnsChange(code: string, names: string, config: Config): Explanation {
  if (config.DNS_PROVIDER === 'rfc2136') return signedChangeFailure(code, names, config) ?? explainDns(code, config);
  if (config.DNS_PROVIDER === 'route53') return awsChangeFailure(code, names, config) ?? explainDns(code, config);
  return explainDns(code, config);
}

/** Knot answers BADKEY to a key that may not make the change. */
function signedChangeFailure(code: string, names: string, { RFC2136_KEY_NAME: key = '' }: Config) {
  if (!['REFUSED', 'BADKEY', 'NOTZONE'].includes(code)) return undefined;
  return {
    detail: `The name server does not let the key ${key} change ${names} (${code}).`,
    remedy:
      'Allow it as docs/operations.md shows: update-policy of BIND, or an acl with the action update of Knot. Or correct RFC2136_ZONE.',
  };
}

/** Route 53 has no code in the documented form of InvalidChangeBatch. */
function awsChangeFailure(code: string, names: string, { ROUTE53_HOSTED_ZONE_ID: zone = '' }: Config) {
  if (code === 'AccessDenied') {
    return {
      detail: `The credentials of this process may not change the hosted zone ${zone} (${code}).`,
      remedy: 'Grant route53:ChangeResourceRecordSets on the zone.',
    };
  }
  if (code !== 'InvalidChangeBatch' && code !== 'HTTP_400') return undefined;
  return {
    detail: `The hosted zone ${zone} rejects ${names} (${code}).`,
    remedy:
      'Set ROUTE53_HOSTED_ZONE_ID to the id of the zone that contains these names. If it does, look whether it has reached its limit of records.',
  };
}

function providerOf(config: Config): { readonly variable: string; readonly service: string } {
  if (config.DNS_PROVIDER === 'route53') return { variable: 'ROUTE53_ENDPOINT', service: 'Route 53' };
  if (config.DNS_PROVIDER === 'embedded') return { variable: 'EMBEDDED_DNS_URL', service: 'The embedded DNS server' };
  const { host = '', port = 53 } = config.RFC2136_SERVER ?? {};
  return { variable: 'RFC2136_SERVER', service: `The name server ${host}:${port}` };
}

type Explanations = Readonly<Record<string, Explanation>>;

function signatureFailures({
  RFC2136_KEY_NAME: key = '',
  RFC2136_KEY_ALGORITHM: algorithm,
  RFC2136_ZONE,
  PLATFORM_DOMAIN,
}: Config): Explanations {
  const zone = RFC2136_ZONE ?? PLATFORM_DOMAIN;
  const anotherZone = (code: string): Explanation => ({
    detail: `The name server is not the primary server of the zone ${zone} (${code}).`,
    remedy: 'Correct RFC2136_ZONE or RFC2136_SERVER, or configure the zone on the server.',
  });
  return {
    BADKEY: {
      detail: `The name server has no key ${key} with the algorithm ${algorithm} (BADKEY).`,
      remedy: 'Correct RFC2136_KEY_NAME and RFC2136_KEY_ALGORITHM, or add the key to the server.',
    },
    BADSIG: {
      detail: `The name server has another secret for the key ${key} (BADSIG).`,
      remedy: 'Correct RFC2136_KEY_SECRET.',
    },
    BADTIME: {
      detail: 'The clocks of the name server and of this machine differ by more than five minutes (BADTIME).',
      remedy: 'Run NTP on both machines.',
    },
    REFUSED: {
      detail: `The name server does not serve the zone ${zone}, or does not let the key ${key} read it (REFUSED).`,
      remedy: 'Correct RFC2136_ZONE or RFC2136_SERVER, or allow the key to query the zone.',
    },
    NOTAUTH: anotherZone('NOTAUTH'),
    NOTZONE: anotherZone('NOTZONE'),
    NXDOMAIN: anotherZone('NXDOMAIN'),
  };
}

function awsFailures({ ROUTE53_HOSTED_ZONE_ID: zone = '', PLATFORM_DOMAIN }: Config): Explanations {
  const credentials = (code: string): Explanation => ({
    detail: `AWS does not accept the credentials of this process (${code}).`,
    remedy: 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the process a role.',
  });
  const unavailable = (code: string): Explanation => ({
    detail: `Route 53 is unavailable (${code}).`,
    remedy: 'Run the command again.',
  });
  return {
    NoSuchHostedZone: {
      detail: `Route 53 has no hosted zone ${zone} in this account (NoSuchHostedZone).`,
      remedy: `Set ROUTE53_HOSTED_ZONE_ID to the id of the zone of ${PLATFORM_DOMAIN}.`,
    },
    AccessDenied: {
      detail: `The credentials of this process may not read the hosted zone ${zone} (AccessDenied).`,
      remedy: 'Grant route53:ListResourceRecordSets on the zone.',
    },
    InvalidClientTokenId: credentials('InvalidClientTokenId'),
    SignatureDoesNotMatch: credentials('SignatureDoesNotMatch'),
    ExpiredToken: {
      detail: 'The session of the AWS credentials has expired (ExpiredToken).',
      remedy: 'Renew them, or give the process a role.',
    },
    ServiceUnavailable: unavailable('ServiceUnavailable'),
    HTTP_503: unavailable('HTTP_503'),
    CredentialsProviderError: credentials('CredentialsProviderError'),
    Throttling: {
      detail: 'Route 53 limits the account to five calls a second, and others use them now (Throttling).',
      remedy: 'Run the command again.',
    },
  };
}

function embeddedFailures({ PLATFORM_DOMAIN, ACME_ZONE }: Config): Explanations {
  const token: Explanation = {
    detail: 'The embedded DNS server rejects the token.',
    remedy: 'Set EMBEDDED_DNS_TOKEN as that server prints it.',
  };
  const names = ACME_ZONE === undefined ? PLATFORM_DOMAIN : `${PLATFORM_DOMAIN} or ${ACME_ZONE}`;
  const zone: Explanation = {
    detail: `The embedded DNS server does not have the zone of ${names} (HTTP_422).`,
    remedy: 'Set PLATFORM_DOMAIN to the domain with which that server was started.',
  };
  return { HTTP_401: token, HTTP_403: token, HTTP_422: zone };
}
