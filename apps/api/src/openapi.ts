import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from './config';

/** The schema of every error answer; routes refer to it by name. */
const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457 Problem Details. `code` is stable; programs decide on it and on nothing else.',
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

/** The contract as OpenAPI 3.1, read off the controllers. */
export function openApiDocument(app: NestFastifyApplication, { APP_NAME }: Pick<Config, 'APP_NAME'>): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle(APP_NAME)
    .setDescription('Apps with their own subdomains, a private workspace of files for every person, and the prices.')
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .addCookieAuth('homeport_session');
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}_${method}`,
  });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Problem: PROBLEM_SCHEMA as never },
  };
  return withJsonSchemaNulls(document);
}

/** Swagger UI needs its own scripts and inline styles, and nothing from elsewhere. */
const DOCS_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; " +
  "base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/** Serves the document at `/docs/openapi.json` and Swagger UI at `/docs`. */
export function serveApiDocs(app: NestFastifyApplication, config: Pick<Config, 'APP_NAME'>): void {
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
  });
}

/** Nest writes `nullable: true`, which is OpenAPI 3.0; in 3.1 null is a type. */
function withJsonSchemaNulls<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withJsonSchemaNulls) as T;
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as Record<string, unknown>;
  const entries = Object.entries(rest).map(([key, value]) => [key, withJsonSchemaNulls(value)]);
  const converted = Object.fromEntries(entries) as Record<string, unknown>;
  return (nullable === true ? { ...converted, type: [converted['type'], 'null'].flat() } : converted) as T;
}
