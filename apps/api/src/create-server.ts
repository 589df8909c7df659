import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import { DeployIngestion } from '@homeport/apps/server';
import { ChangeStreams, LogStreams } from '@homeport/apps/server/nest';
import { SignInHandler } from '@homeport/identity/server';
import { deferContinue, ConnectionTracker, Drain, requestIdOf } from '@homeport/platform/server/node-http';
import { createCallerResolver } from '@homeport/platform/server/limits';
import {
  clientErrorHandler,
  installBodyParsing,
  JsonBodyGuard,
  markApiResponsesPrivate,
  installConnectionLimits,
  logRequests,
  logUnrouted,
  measureRequests,
  nameTraces,
  NestLogger,
  ProblemFilter,
  requestValidation,
  requireHttps,
  sendProblem,
  StrictQueryGuard,
  collectRoutes,
} from '@homeport/platform/server/http';
import { SiteHostnames } from '@homeport/hosting/contracts';
import { ManagementServer, type ManagementRoute, metricsRoute } from '@homeport/platform/server/management';
import { HealthMonitor } from '@homeport/platform/server/health';
import { NoRoute, rawPathOf } from '@homeport/kernel';
import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Tracing } from '@homeport/platform/server/tracing';
import type { Logger } from 'pino';
import type { Adapters } from './adapters';
import { apiLoadShedder } from './api-load-shedder';
import { ApiModule } from './api.module';
import { serveClient } from './client-files';
import type { Config } from './config';
import { serveApiDocs } from './openapi';
import { serveResourceMetadata } from './resource-metadata';
import { certificatePermission } from './management/certificate-permission';
import type { ApiObserver } from './observe-api';
import { assertRoutePolicies } from './route-policies';
import { meterRequests } from './usage/meter-requests';

const HEADERS_LIMIT_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
/** Connections without traffic during a request are closed after this time. */
const BODY_IDLE_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
const HTTP_OPTIONS = {
  headersTimeout: HEADERS_LIMIT_MS,
  // How often Node checks the timeouts. With the default they apply up to 30 s late.
  connectionsCheckingInterval: 1_000,
  requestTimeout: 0,
  // `installConnectionLimits` rejects these requests with Problem Details.
  requireHostHeader: false,
  maxHeaderSize: MAX_HEADER_BYTES,
};

/** Replaces the handlers of Nest for unrouted and invalid requests, so that they send Problem Details. */
class ApiAdapter extends FastifyAdapter {
  handleNotFound: (request: FastifyRequest, reply: FastifyReply) => unknown = (request, reply) => {
    sendProblem(new NoRoute(), request, reply);
  };

  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance().setNotFoundHandler((request, reply) => this.handleNotFound(request, reply));
  }

  override setErrorHandler(): FastifyInstance {
    return this.getInstance().setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  }
}

export interface Server {
  readonly app: NestFastifyApplication;
  /** Close it before `app`: it waits for pending requests. */
  readonly drain: Drain;
  readonly health: HealthMonitor;
  /** Event streams. Stop them before requests are cut off, because they have no other end. */
  readonly changes: Pick<ChangeStreams, 'start' | 'stop'>;
  /** Streams of logs. Stop them like `changes`. */
  readonly logs: Pick<LogStreams, 'stop'>;
  /** Deploy uploads. Stop them before requests are cut off, so that their clients receive a response. */
  readonly deploys: Pick<DeployIngestion, 'stop'>;
  readonly management: ManagementServer;
}

/**
 * @returns the target for the router. File paths are replaced by a fixed one, because the router decodes and rejects
 * paths by different rules. The files domain parses the raw target instead.
 */
function routedTarget(target: string): string {
  return rawPathOf(target).startsWith('/api/files/') ? '/api/files/path' : target;
}

function apiAdapter(log: Logger, connections: ConnectionTracker): ApiAdapter {
  const adapter: ApiAdapter = new ApiAdapter({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    // Requests that arrive during the shutdown are served. Fastify would send a 503 that is not Problem Details.
    return503OnClosing: false,
    // No Nest middleware is used, and the lookup would cost time in every request.
    skipMiddie: true,
    rewriteUrl: (request: IncomingMessage) => routedTarget(request.url ?? '/'),
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      logUnrouted(request, reply);
      // No resource exists at a path that cannot be decoded.
      if (error.code === 'FST_ERR_BAD_URL') adapter.handleNotFound(request, reply);
      else sendProblem(error, request, reply);
    },
    // No limit for ids in the router: the routes respond with 404 to ids that are too long.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    connectionTimeout: BODY_IDLE_MS,
    clientErrorHandler: clientErrorHandler((socket) => connections.isResponding(socket)),
    http: HTTP_OPTIONS,
  });
  return adapter;
}

export interface ServerOptions {
  readonly log: Logger;
  /** Undefined without metrics. */
  readonly observer?: ApiObserver | undefined;
  /** Undefined without tracing. */
  readonly tracing?: Tracing | undefined;
}

/** Creates the HTTP server without listening. */
export async function createServer(
  config: Config,
  adapters: Adapters,
  { log, observer, tracing }: ServerOptions,
): Promise<Server> {
  const connections = new ConnectionTracker();
  const adapter = apiAdapter(log, connections);
  const fastify = adapter.getInstance();
  const routes = collectRoutes(fastify);
  const drain = new Drain(fastify.server);
  const health = new HealthMonitor({ probes: adapters.probes });
  deferContinue(fastify.server);
  logRequests(fastify);
  if (config.PUBLIC_URL?.startsWith('https:')) requireHttps(fastify);
  if (observer) measureRequests(fastify, observer.onRequest);
  const { metering } = adapters.usage;
  if (metering) meterRequests(fastify, metering);
  if (tracing) nameTraces(fastify, tracing);
  markApiResponsesPrivate(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.forRoot(adapters, health, () => drain.isDraining),
    adapter,
    { bodyParser: false, logger: new NestLogger(log), abortOnError: false },
  );
  installBodyParsing(fastify);
  await fastify.register(cookie);
  app.useGlobalGuards(new StrictQueryGuard(app.get(Reflector)), new JsonBodyGuard());
  app.useGlobalPipes(requestValidation());
  app.useGlobalFilters(new ProblemFilter());
  serveApiDocs(app, config);
  serveResourceMetadata(fastify, config);
  const client = config.CLIENT_DIR === undefined ? undefined : await serveClient(fastify, config.CLIENT_DIR);
  const signInHandler = app.get(SignInHandler, { strict: false });
  adapter.handleNotFound = (request, reply) => {
    if (client?.matches(request)) return client.sendIndex(reply, signInHandler.hasSessionCookie(request));
    return sendProblem(routes.errorFor(request.method, rawPathOf(request.originalUrl)), request, reply);
  };
  const routesWithoutPolicy = new Set(routes.names());
  await app.init();
  assertRoutePolicies(routes.names().filter((route) => !routesWithoutPolicy.has(route)));
  await fastify.ready();
  const shedder = apiLoadShedder(log);
  const callerOf = createCallerResolver(config.TRUSTED_PROXIES);
  installConnectionLimits(fastify, connections, { callerOf, shedder, trace: tracing?.serve });
  observer?.observe({ ...adapters, config, health, isDraining: () => drain.isDraining, shedder });
  const management = managementServer(config, adapters, { log, observer });
  return { app, drain, health, ...longRequestsOf(app), management };
}

function longRequestsOf(app: NestFastifyApplication): Pick<Server, 'changes' | 'logs' | 'deploys'> {
  return {
    changes: app.get(ChangeStreams, { strict: false }),
    logs: app.get(LogStreams, { strict: false }),
    deploys: app.get(DeployIngestion, { strict: false }),
  };
}

function managementServer(
  { PLATFORM_DOMAIN }: Config,
  { sites }: Adapters,
  { log, observer }: ServerOptions,
): ManagementServer {
  const mayHaveCertificate = certificatePermission({ sites, hostnames: new SiteHostnames(PLATFORM_DOMAIN) });
  const routes = new Map<string, ManagementRoute>([['/internal/tls/ask', mayHaveCertificate]]);
  if (observer) routes.set('/metrics', metricsRoute(observer.metrics));
  return new ManagementServer(routes, (error) => log.error({ err: error }, 'a management request failed'));
}
