import { initiateDeviceAuthorization, pollDeviceAuthorizationGrant, ResponseBodyError } from 'openid-client';
import { CliError } from '../cli.errors';
import type { Credentials } from '../credentials/credentials';
import { credentialsFrom, discoverIssuer, type IdentityService } from './identity-client';

export interface DeviceSignIn extends IdentityService {
  readonly scope: string;
  readonly signal: AbortSignal;
  /** Shows the person where to enter which code. */
  readonly show: (verificationUrl: string, userCode: string) => void;
}

/**
 * Signs a person in with a browser on another machine: device authorization grant (RFC 8628).
 * @throws {CliError} when the identity service has no device sign-in, or the person rejects it.
 */
export async function signInByDevice({ scope, signal, show, ...service }: DeviceSignIn): Promise<Credentials> {
  const configuration = await discoverIssuer(service);
  if (configuration.serverMetadata().device_authorization_endpoint === undefined) {
    const nextStep =
      'Run "homeport login" on a machine with a browser, or create a token on the settings page of the web app and ' +
      'run "homeport login --token".';
    throw new CliError(`The identity service ${service.issuer} has no device sign-in.`, 'failed', nextStep);
  }
  const device = await initiateDeviceAuthorization(configuration, { scope });
  show(device.verification_uri_complete ?? device.verification_uri, device.user_code);
  try {
    const tokens = await pollDeviceAuthorizationGrant(configuration, device, undefined, { signal });
    return credentialsFrom(service, tokens);
  } catch (error) {
    if (!(error instanceof ResponseBodyError) || !(error.error in REASONS)) throw error;
    throw new CliError(REASONS[error.error] as string, 'unauthenticated', 'Run "homeport login --device" again.');
  }
}

/** The outcomes of RFC 8628, section 3.5, that end the sign-in. */
const REASONS: Readonly<Record<string, string>> = {
  access_denied: 'The identity service rejected the sign-in.',
  expired_token: 'The code has expired.',
};
