import type { Explanation } from './check';

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closes the connection',
  EPIPE: 'closes the connection',
  UND_ERR_SOCKET: 'closes the connection',
  'connection-terminated': 'closes the connection',
  EHOSTUNREACH: 'cannot be reached over the network',
  ENETUNREACH: 'cannot be reached over the network',
  ETIMEDOUT: 'does not answer',
  timeout: 'does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'does not answer',
  ENOTFOUND: 'has a host name that does not exist',
  EAI_AGAIN: 'has a host name that no name server resolves now',
};
/** The server answered without TLS. */
const NOT_TLS = /^(EPROTO|ERR_SSL)/;
const UNTRUSTED = /^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|ERR_TLS)/;

/**
 * Explains a failed connection.
 * @param service such as "PostgreSQL at 127.0.0.1:5432".
 * @param variable the setting with the address.
 * @returns undefined for a code that is not about the network.
 */
export function networkExplanation(code: string, service: string, variable: string): Explanation | undefined {
  const failure = UNREACHABLE[code];
  if (failure !== undefined) {
    const reach = 'start the service, and let this machine reach it through firewalls';
    return { detail: `${service} ${failure} (${code}).`, remedy: `Correct ${variable}, or ${reach}.` };
  }
  if (NOT_TLS.test(code)) {
    return {
      detail: `${service} does not speak TLS, or not a version that is accepted (${code}).`,
      remedy: `Correct the protocol and port in ${variable}.`,
    };
  }
  return UNTRUSTED.test(code) ? certificateExplanation(code, service, variable) : undefined;
}

function certificateExplanation(code: string, service: string, variable: string): Explanation {
  if (code === 'CERT_HAS_EXPIRED') {
    return {
      detail: `${service} has a certificate that has expired (${code}).`,
      remedy: 'Renew it, and check the clock of this machine.',
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      detail: `${service} has a certificate for other names (${code}).`,
      remedy: `Correct the host name in ${variable}, or give the service a certificate for it.`,
    };
  }
  return {
    detail: `${service} has a certificate that is not trusted (${code}).`,
    remedy: `Set NODE_EXTRA_CA_CERTS to the root certificate of your authority, or correct ${variable}.`,
  };
}

/** For a code without an explanation. */
export function unknownFailure(code: string, service: string, variable: string): Explanation {
  return {
    detail: `${service} fails (${code}).`,
    remedy: `Check ${variable} and the log of the service; docs/operations.md lists the codes of failures.`,
  };
}
