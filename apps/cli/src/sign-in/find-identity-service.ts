import { ApiProblem, type Homeport } from '@homeport/api-client';
import { CliError } from '../cli.errors';
import type { IdentityService } from './identity-client';

interface ResourceMetadata {
  readonly authorization_servers?: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly homeport_cli_client_id?: string;
}

const NO_BROWSER_SIGN_IN = 'Create a token on the settings page of the web app, and run "homeport login --token".';

/** Reads the protected resource metadata of the server (RFC 9728). @throws {CliError} without a browser sign-in. */
export async function findIdentityService(homeport: Homeport): Promise<IdentityService & { readonly scope: string }> {
  const { authorization_servers, scopes_supported, homeport_cli_client_id: clientId } = await metadataOf(homeport);
  const issuer = authorization_servers?.[0];
  if (issuer === undefined || clientId === undefined) {
    throw new CliError(`${homeport.baseUrl} has no sign-in for the command line.`, 'failed', NO_BROWSER_SIGN_IN);
  }
  return { issuer, clientId, scope: (scopes_supported ?? ['openid']).join(' ') };
}

async function metadataOf(homeport: Homeport): Promise<ResourceMetadata> {
  try {
    const response = await homeport.send({ method: 'GET', path: '/.well-known/oauth-protected-resource' });
    return (await response.json()) as ResourceMetadata;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return {};
    throw error;
  }
}
