import type { Readable } from 'node:stream';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendContinue } from '../node-http/expect-continue';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '@homeport/kernel';
import { bodyTimeoutSignal, clearBodyTimeout } from './incomplete-bodies';

const MAX_JSON_BYTES = 1024 * 1024;
/** At least twice the depth of any valid request. Body validation is recursive and must not exhaust the stack. */
const MAX_JSON_LEVELS = 32;
/** At least ten times the values of any valid request. Body validation takes quadratic time per object. */
const MAX_JSON_VALUES = 1_000;

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const DEFAULT_JSON: JsonBodyOptions = { mediaType: JSON_TYPE, maxValues: MAX_JSON_VALUES };

/** Passes the body of a route on as a raw stream of any media type, without parsing it. */
export function StreamedBody(): MethodDecorator & ClassDecorator {
  return RouteConfig({ streamedBody: true });
}

/** Parses the body of a route as an HTML form into `URLSearchParams`, as OAuth requires. */
export function FormBody(): MethodDecorator {
  return RouteConfig({ formBody: true });
}

/** Options of a JSON body that differs from the others. */
export interface JsonBodyOptions {
  readonly mediaType: string;
  /** At least the values of the largest valid request. Default: 1,000. */
  readonly maxValues: number;
}

/** Parses the body of a route as JSON of another media type. The route validates the value itself. */
export function JsonBody({ mediaType, maxValues }: JsonBodyOptions): MethodDecorator {
  return RouteConfig({ jsonBody: { mediaType, maxValues } });
}

/** A body that has not been read. */
class UnreadBody {
  constructor(private readonly read: () => Promise<unknown>) {}

  /** @throws {UnsupportedMediaType} @throws {PayloadTooLarge} @throws {InvalidRequest} @throws {RequestTimedOut} */
  parsed(): Promise<unknown> {
    return this.read();
  }
}

/**
 * Installs the only body parser: JSON of at most 1 MiB, except on routes with `@StreamedBody()` and `@FormBody()`.
 * `JsonBodyGuard` reads the body later, after the guards that can reject the request without it.
 * There is one catch-all parser instead of one per media type, because a stored `.json` file must not be parsed.
 */
export function installBodyParsing(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  const parse = async (request: FastifyRequest, payload: Readable): Promise<unknown> => {
    if (configOf(request).formBody) return new URLSearchParams(await readText(request, payload, FORM));
    const { mediaType, maxValues } = configOf(request).jsonBody ?? DEFAULT_JSON;
    const text = await readText(request, payload, mediaType);
    // Many clients send a media type without a body with DELETE.
    if (text === '') return undefined;
    const body = await new Promise<unknown>((resolve, reject) => {
      void parseJson(request, text, (error, value: unknown) => (error ? reject(invalidJson()) : resolve(value)));
    });
    const violation = shapeViolation(body, maxValues);
    if (violation) throw violation;
    return body;
  };
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, payload, done) => {
    if (configOf(request).streamedBody) {
      clearBodyTimeout(request.raw);
      done(null, payload);
    } else {
      // For an unknown route, 404 or 405 takes precedence over errors in the body.
      done(null, request.is404 ? undefined : new UnreadBody(() => parse(request, payload)));
    }
  });
}

/** Reads JSON bodies. Registered as the last guard, so that a request is authenticated before its body is read. */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.body instanceof UnreadBody) request.body = await request.body.parsed();
    return true;
  }
}

interface BodyConfig {
  readonly streamedBody?: boolean;
  readonly formBody?: boolean;
  readonly jsonBody?: JsonBodyOptions;
}

function configOf({ routeOptions }: FastifyRequest): BodyConfig {
  return routeOptions.config as BodyConfig;
}

async function readText(request: FastifyRequest, payload: Readable, mediaType: string): Promise<string> {
  const contentType = request.headers['content-type'] ?? '';
  const [essence = ''] = contentType.split(';', 1);
  if (essence.trim().toLowerCase() !== mediaType || /;\s*charset=(?!"?utf-?8"?\s*(;|$))/i.test(contentType)) {
    throw new UnsupportedMediaType(`This address accepts ${mediaType} in UTF-8.`);
  }
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
    throw new UnsupportedMediaType(`This address accepts ${mediaType} only without a Content-Encoding.`);
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_JSON_BYTES) throw new PayloadTooLarge();
  sendContinue(request.raw);
  const bytes = await wholeBody(payload, bodyTimeoutSignal(request.raw));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw mediaType === FORM ? new InvalidRequest('The request body is not valid UTF-8.') : invalidJson();
  }
}

/** Reads with events: leaving an async iterator early would destroy the connection before the response is sent. */
function wholeBody(payload: Readable, deadline: AbortSignal | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = () => {
      payload.off('data', take).off('end', finish).off('error', failTruncated).off('close', failTruncated);
      deadline?.removeEventListener('abort', expire);
    };
    const fail = (error: unknown) => {
      stop();
      // Discards the rest of the body, so that the client reads the response and gets no connection reset.
      payload.on('error', () => undefined).resume();
      reject(error as Error);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_JSON_BYTES) fail(new PayloadTooLarge());
      else chunks.push(chunk);
    };
    const finish = () => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    // A truncated body is a client error, not a server error.
    const failTruncated = () => fail(new InvalidRequest('The request body is truncated. Send the request again.'));
    const expire = () => fail(deadline?.reason);
    if (payload.destroyed) return failTruncated();
    if (deadline?.aborted) return expire();
    deadline?.addEventListener('abort', expire, { once: true });
    payload.on('data', take).once('end', finish).once('error', failTruncated).once('close', failTruncated);
  });
}

/** @returns an error for JSON that is nested too deeply, has too many fields or a field of `Object.prototype`. */
function shapeViolation(body: unknown, maxValues: number): InvalidRequest | null {
  let values: unknown[] = [body];
  let count = 0;
  for (let level = 0; ; level += 1) {
    const objects = values.filter((value) => typeof value === 'object' && value !== null);
    if (objects.length === 0) return null;
    if (level === MAX_JSON_LEVELS) return new InvalidRequest('The request body is nested too deeply.');
    values = objects.flatMap((each) => Object.values(each));
    count += values.length;
    if (count > maxValues) return new InvalidRequest('The request body has too many fields.');
    // The transformation into classes drops these fields silently.
    const inherited = objects.flatMap((each) => Object.keys(each)).find((key) => key in Object.prototype);
    if (inherited !== undefined) return new InvalidRequest(`The request body has an unknown field: ${inherited}.`);
  }
}

function invalidJson(): InvalidRequest {
  return new InvalidRequest('The request body is not valid JSON in UTF-8.');
}
