import type { Readable } from 'node:stream';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendContinue } from './expect-continue';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '../problems/platform.errors';
import { bodyTimeoutSignal, clearBodyTimeout } from './incomplete-bodies';

const MAX_JSON_BYTES = 1024 * 1024;
/** No request goes half as deep, and what reads bodies calls itself level by level until the stack is full. */
const MAX_JSON_LEVELS = 32;
/** No request has a tenth of it, and what checks bodies takes the square of the fields of an object. */
const MAX_JSON_VALUES = 1_000;

/** Hands the body of a route on as the raw stream, whatever its media type: no parser touches it. */
export function StreamedBody(): MethodDecorator & ClassDecorator {
  return RouteConfig({ streamedBody: true });
}

/** A body that nobody has read yet. */
class UnreadBody {
  constructor(private readonly read: () => Promise<unknown>) {}

  /** @throws {UnsupportedMediaType} @throws {PayloadTooLarge} @throws {InvalidRequest} @throws {RequestTimedOut} */
  parsed(): Promise<unknown> {
    return this.read();
  }
}

/**
 * Installs the only body parser: JSON of at most 1 MiB, except on routes marked `@StreamedBody()`. It reads nothing
 * itself: `JsonBodyGuard` does, after the guards that refuse a request without its body.
 * One catch-all parser instead of one per media type, because a stored `.json` file must not be parsed as JSON.
 */
export function installBodyParsing(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  const parse = async (request: FastifyRequest, payload: Readable): Promise<unknown> => {
    const text = await readJsonText(request, payload);
    // A media type without a body, as many clients send it with DELETE, is no body.
    if (text === '') return undefined;
    const body = await new Promise<unknown>((resolve, reject) => {
      void parseJson(request, text, (error, value: unknown) => (error ? reject(invalidJson()) : resolve(value)));
    });
    const fault = shapeViolation(body);
    if (fault) throw fault;
    return body;
  };
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, payload, done) => {
    if ((request.routeOptions.config as { streamedBody?: boolean }).streamedBody) {
      clearBodyTimeout(request.raw);
      done(null, payload);
    } else {
      // Without a route the answer is that the address or the method is wrong, whatever the body is.
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

async function readJsonText(request: FastifyRequest, payload: Readable): Promise<string> {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType) || /;\s*charset=(?!"?utf-?8"?\s*(;|$))/i.test(contentType)) {
    throw new UnsupportedMediaType('This address accepts application/json in UTF-8.');
  }
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
    throw new UnsupportedMediaType('This address accepts JSON without a content encoding.');
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_JSON_BYTES) throw new PayloadTooLarge();
  sendContinue(request.raw);
  const bytes = await wholeBody(payload, bodyTimeoutSignal(request.raw));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidJson();
  }
}

/** Reads by events: leaving an iterator half-way would destroy the connection before it carried the answer. */
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
      // What still comes is thrown away, so that the client reads the answer instead of a reset.
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
    // A truncated body is the client's doing and no failure of the server.
    const failTruncated = () => fail(new InvalidRequest('The request body broke off.'));
    const expire = () => fail(deadline?.reason);
    if (payload.destroyed) return failTruncated();
    if (deadline?.aborted) return expire();
    deadline?.addEventListener('abort', expire, { once: true });
    payload.on('data', take).once('end', finish).once('error', failTruncated).once('close', failTruncated);
  });
}

/** What is valid JSON, but no request that anybody here could read. */
function shapeViolation(body: unknown): InvalidRequest | null {
  let values: unknown[] = [body];
  let count = 0;
  for (let level = 0; ; level += 1) {
    const objects = values.filter((value) => typeof value === 'object' && value !== null);
    if (objects.length === 0) return null;
    if (level === MAX_JSON_LEVELS) return new InvalidRequest('The request body is nested too deeply.');
    values = objects.flatMap((each) => Object.values(each));
    count += values.length;
    if (count > MAX_JSON_VALUES) return new InvalidRequest('The request body has too many fields.');
    // What makes objects of bodies leaves these out without a word.
    const inherited = objects.flatMap((each) => Object.keys(each)).find((key) => key in Object.prototype);
    if (inherited !== undefined) return new InvalidRequest(`The request body has an unknown field: ${inherited}.`);
  }
}

function invalidJson(): InvalidRequest {
  return new InvalidRequest('The request body is not valid JSON in UTF-8.');
}
