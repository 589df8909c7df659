import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '@homeport/platform/server/http';
import { RateLimited } from '@homeport/kernel';

/** What programs need to know to sign a person in. */
export interface ProtectedResource {
  /** The public origin of the product. */
  readonly resource: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** The public client of the command line at the issuer; undefined without one. */
  readonly cliClientId: string | undefined;
}

export const PROTECTED_RESOURCE = Symbol('protected resource');

export class ResourceMetadataBody {
  @ApiProperty() readonly resource!: string;
  @ApiProperty({ type: [String] }) readonly authorization_servers!: readonly string[];
  @ApiProperty({ type: [String] }) readonly scopes_supported!: readonly string[];
  @ApiProperty({ type: [String] }) readonly bearer_methods_supported!: readonly string[];
  @ApiProperty({
    required: false,
    description: 'The client id for a sign-in with a redirect to the loopback interface; absent when it is off',
  })
  readonly homeport_cli_client_id?: string;
}

/** OAuth 2.0 Protected Resource Metadata (RFC 9728): tells programs which identity service issues the tokens. */
@ApiTags('Sign-in')
@Controller('.well-known/oauth-protected-resource')
export class ResourceMetadataController {
  constructor(@Inject(PROTECTED_RESOURCE) private readonly protectedResource: ProtectedResource) {}

  @Get()
  @Header('cache-control', 'public, max-age=300')
  @ApiOperation({
    summary: 'Read the protected resource metadata',
    description: 'Names the issuer of access tokens and the client id of the command line (RFC 9728).',
  })
  @ApiOkResponse({ type: ResourceMetadataBody })
  @ApiProblems(new RateLimited())
  get(): ResourceMetadataBody {
    const { resource, issuer, scopes, cliClientId } = this.protectedResource;
    return {
      resource,
      authorization_servers: [issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      ...(cliClientId !== undefined && { homeport_cli_client_id: cliClientId }),
    };
  }
}
