import type { FastifyInstance } from 'fastify';
import type { Config } from './config';

export type ResourceMetadataConfig = Pick<Config, 'publicUrl' | 'AUTH_ISSUER' | 'AUTH_SCOPES' | 'AUTH_CLI_CLIENT_ID'>;

/**
 * Serves the OAuth 2.0 Protected Resource Metadata (RFC 9728): which identity service issues the access tokens, and the
 * client id for a sign-in of the command line; without one, the sign-in with a loopback redirect is off.
 */
export function serveResourceMetadata(fastify: FastifyInstance, config: ResourceMetadataConfig): void {
  const metadata = {
    resource: config.publicUrl,
    authorization_servers: [config.AUTH_ISSUER],
    scopes_supported: config.AUTH_SCOPES.split(' '),
    bearer_methods_supported: ['header'],
    ...(config.AUTH_CLI_CLIENT_ID !== undefined && { homeport_cli_client_id: config.AUTH_CLI_CLIENT_ID }),
  };
  fastify.get('/.well-known/oauth-protected-resource', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(metadata),
  );
}
