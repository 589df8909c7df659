import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { HealthMonitor } from '@homeport/platform/server/health';
import { pino } from 'pino';
import { adaptersFor } from '../adapters';
import { ApiModule } from '../api.module';
import { loadConfig } from '../config';
import { openApiDocument } from '../openapi';

/** The required settings. No connections are opened, because the module graph is built without instances. */
const SETTINGS = {
  DATABASE_URL: 'postgres://unused:unused@localhost/unused',
  S3_BUCKET: 'unused',
  AUTH_ISSUER: 'http://localhost',
  AUTH_AUDIENCE: 'unused',
  SESSION_KEYS: Buffer.alloc(32).toString('base64'),
  EMBEDDED_DNS_URL: 'http://localhost',
  EMBEDDED_DNS_TOKEN: 'unused',
};

/**
 * Creates the document of an installation with default settings. It needs no database or other service.
 * @param settings environment variables that differ from the defaults, such as `PUBLIC_URL`.
 */
export async function referenceDocument(settings: Readonly<Record<string, string>> = {}): Promise<OpenAPIObject> {
  const config = loadConfig({ ...SETTINGS, ...settings });
  const module = ApiModule.forRoot(
    adaptersFor(config, pino({ level: 'silent' })),
    new HealthMonitor({ probes: [] }),
    () => false,
  );
  const app = await NestFactory.create(module, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return openApiDocument(app, config);
}
