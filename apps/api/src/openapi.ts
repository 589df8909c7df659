import type { Scope } from '@homeport/identity/contracts';
import { sessionCookieName } from '@homeport/identity/server';
import { RESPONSE_HEADERS } from '@homeport/platform/server/http';
import { statementSchema } from '@homeport/pricing/server';
import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from './config';
import { withBodyExamples } from './openapi/body-examples';
import { completeOperations } from './openapi/complete-operations';
import { shareProblemExamples } from './openapi/share-problem-examples';
import { SIGNED_IN_CALLS } from './openapi/signed-in-calls';
import { ROUTE_POLICIES } from './route-policies';

/** The schema of every error response; routes refer to it by name. */
const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457 Problem Details. `code` is stable: clients branch on this field only.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', example: 'files.not-found' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'reason'],
        properties: { field: { type: 'string' }, reason: { type: 'string' } },
      },
    },
  },
} as const;

const TAGS = {
  'Sign-in': 'Browser sessions. `/api` accepts the bearer token of a session, never its cookie.',
  Tokens: 'Tokens for programs, and trusts for pipelines that need no stored secret.',
  Apps: 'Apps of the organization and their DNS records.',
  Deploys: 'Uploaded versions of an app: history, activation and rollback.',
  Environment: 'Variables of the servers of SSR apps, which are stored encrypted and never returned.',
  Domains: 'Host names of apps and base domains of organizations, each proven by a TXT record that stays.',
  Runtime: 'Servers of SSR apps: their state, restart and log.',
  Files: 'The private workspace of the authenticated user.',
  Usage: 'Usage of the organization with its cost, charges and the budget.',
  Pricing: 'Public prices and estimates.',
  Health: 'Probes for load balancers and orchestrators.',
} as const;

const SCOPES: Readonly<Record<Scope, string>> = {
  'apps:read': 'Read apps, deploys and domains',
  'apps:write': 'Register, change and delete apps',
  'deploys:write': 'Upload, activate, roll back and delete deploys',
  'environment:write': 'Change environment variables',
  'logs:read': 'Read logs',
  'domains:write': 'Add, change and delete domains',
  'usage:read': 'Read usage and charges',
  'usage:write': 'Report usage',
  'files:read': 'Read files; personal tokens only',
  'files:write': 'Write and delete files; personal tokens only',
};

export type DocumentConfig = Pick<Config, 'APP_NAME' | 'publicUrl'>;

/** Builds the OpenAPI 3.1 document from the decorators of the controllers. */
export function openApiDocument(app: INestApplication, config: DocumentConfig): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, documentFrame(config));
  document.components = {
    ...document.components,
    headers: RESPONSE_HEADERS,
    schemas: {
      ...document.components?.schemas,
      Problem: PROBLEM_SCHEMA as never,
      PricingStatement: pricingStatement(),
    },
  };
  document.paths = completeOperations(document.paths, ROUTE_POLICIES);
  return shareProblemExamples(withBodyExamples(withJsonSchemaNulls(document)));
}

function documentFrame({ APP_NAME, publicUrl }: DocumentConfig): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle(APP_NAME)
    .setDescription(
      'Apps with subdomains, a private file workspace for every user, and public prices. ' +
        'Errors are RFC 9457 Problem Details. Unknown JSON fields and unknown query parameters are rejected with 400.',
    )
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(publicUrl, 'This installation')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token of the identity service.',
    })
    .addOAuth2(
      {
        type: 'oauth2',
        description:
          'A token that this server issued, sent as bearer token: `hp_` and 40 base62 characters. It needs one of the ' +
          'scopes that the operation names. People create tokens with `POST /api/tokens` and `POST /api/me/tokens`; ' +
          'pipelines receive them from the token endpoint by token exchange (RFC 8693), for which OpenAPI has no flow.',
        flows: { clientCredentials: { tokenUrl: `${publicUrl}/auth/token`, scopes: SCOPES } },
      },
      'token',
    )
    .addCookieAuth(sessionCookieName(publicUrl), {
      type: 'apiKey',
      in: 'cookie',
      description: 'Set by `/auth/callback`. The name has the prefix `__Host-` if `PUBLIC_URL` is https.',
    });
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const frame = builder.build();
  // Set here, because the builder would add an empty and therefore invalid email address.
  return { ...frame, info: { ...frame.info, contact: { name: APP_NAME, url: publicUrl } } };
}

/** The statement schema without `$id`, because JSON Schema validators reject a second `$id` in one document. */
function pricingStatement(): Record<string, never> {
  const entries = Object.entries(statementSchema()).filter(([keyword]) => !['$id', '$schema'].includes(keyword));
  return Object.fromEntries(entries) as Record<string, never>;
}

/** Swagger UI needs scripts of the same origin and inline styles. */
const DOCS_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Serves the document at `/docs/openapi.json` and Swagger UI at `/docs`. */
export function serveApiDocs(app: NestFastifyApplication, config: DocumentConfig): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (request: FastifyRequest, reply: FastifyReply) => {
      if (/^\/docs(\/|$)/.test(request.routeOptions.url ?? ''))
        void reply.header('content-security-policy', DOCS_POLICY);
    });
  SwaggerModule.setup('docs', app, () => openApiDocument(app, config), {
    jsonDocumentUrl: 'docs/openapi.json',
    yamlDocumentUrl: 'docs/openapi.yaml',
    customSiteTitle: `${config.APP_NAME} API`,
    swaggerOptions: SIGNED_IN_CALLS,
  });
}

/** Replaces `nullable: true` of OpenAPI 3.0, which Nest generates, with the type `null` of OpenAPI 3.1. */
function withJsonSchemaNulls<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withJsonSchemaNulls) as T;
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as Record<string, unknown>;
  const entries = Object.entries(rest).map(([key, value]) => [key, withJsonSchemaNulls(value)]);
  const converted = Object.fromEntries(entries) as Record<string, unknown>;
  return (nullable === true ? { ...converted, type: [converted['type'], 'null'].flat() } : converted) as T;
}
