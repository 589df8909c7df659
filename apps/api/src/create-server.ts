import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import {
  Drain,
  installBodyParsing,
  logRequests,
  NestLogger,
  ProblemFilter,
  rawPathOf,
  requestIdOf,
  requestValidation,
  sendProblem,
  watchRoutes,
} from '@homeport/platform/server';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Adapters } from './adapters';
import { ApiModule } from './api.module';
import { serveClient } from './client-files';
import type { Config } from './config';
import { serveApiDocs } from './openapi';

const HEADERS_LIMIT_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16 * 1024;

export interface Server {
  readonly app: NestFastifyApplication;
  /** Call it before `app.close()`, so that nobody is cut off and nobody holds the close up. */
  readonly drain: Drain;
}

/** Builds the HTTP server; nothing listens yet. */
export async function createServer(config: Config, adapters: Adapters, log: Logger): Promise<Server> {
  const adapter = new FastifyAdapter({
    loggerInstance: log,
    disableRequestLogging: true,
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    routerOptions: { maxParamLength: 4_096 },
    http: { headersTimeout: HEADERS_LIMIT_MS, requestTimeout: 0, maxHeaderSize: MAX_HEADER_BYTES },
  });
  const fastify = adapter.getInstance();
  const routes = watchRoutes(fastify);
  const drain = new Drain(fastify);
  logRequests(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.with(adapters, () => drain.isDraining),
    adapter,
    { bodyParser: false, logger: new NestLogger(log), abortOnError: false },
  );
  installBodyParsing(fastify);
  await fastify.register(cookie);
  app.useGlobalPipes(requestValidation());
  app.useGlobalFilters(new ProblemFilter());
  serveApiDocs(app, config);
  const client = config.CLIENT_DIR === undefined ? undefined : await serveClient(fastify, config.CLIENT_DIR);
  fastify.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  await app.init();
  fastify.setNotFoundHandler((request, reply) => {
    if (client?.wants(request)) return client.sendIndex(reply);
    return sendProblem(routes.failureFor(rawPathOf(request.originalUrl)), request, reply);
  });
  await fastify.ready();
  return { app, drain };
}
