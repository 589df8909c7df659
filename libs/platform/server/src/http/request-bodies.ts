import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../problems/domain-error';
import { askForBody } from './expect-continue';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '../problems/platform.errors';

const MAX_JSON_BYTES = 1024 * 1024;
/** No request goes half as deep, and what reads bodies calls itself level by level until the stack is full. */
const MAX_JSON_LEVELS = 32;
/** No request has a tenth of it, and what checks bodies takes the square of the fields of an object. */
const MAX_JSON_VALUES = 1_000;

/** Hands the body of a route on as the raw stream, whatever its media type: no parser touches it. */
export function StreamedBody(): MethodDecorator & ClassDecorator {
  return RouteConfig({ streamedBody: true });
}

/**
 * Installs the only body parser: JSON of at most 1 MiB, except on routes marked `@StreamedBody()`.
 * One catch-all parser instead of one per media type, because a stored `.json` file must not be parsed as JSON.
 */
export function installBodyParsing(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, payload, done) => {
    if ((request.routeOptions.config as { streamedBody?: boolean }).streamedBody) {
      done(null, payload);
      return;
    }
    // Nobody is there to read it: whatever it is, the answer is that the address or the method is wrong.
    if (request.is404) {
      done(null, undefined);
      return;
    }
    readJsonText(request, payload).then(
      (text) => {
        // A media type without a body, as many clients send it with DELETE, is no body.
        if (text === '') done(null, undefined);
        else void parseJson(request, text, (error, body) => done(error ? notJson() : shapeFault(body), body));
      },
      // A body that breaks off is the client's doing, and nothing to wake anybody up for.
      (error: unknown) =>
        done(error instanceof DomainError ? error : new InvalidRequest('The request body broke off.')),
    );
  });
}

async function readJsonText(request: FastifyRequest, payload: AsyncIterable<Buffer>): Promise<string> {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType) || /;\s*charset=(?!"?utf-?8"?\s*(;|$))/i.test(contentType)) {
    throw new UnsupportedMediaType('This address accepts application/json in UTF-8.');
  }
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
    throw new UnsupportedMediaType('This address accepts JSON without a content encoding.');
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_JSON_BYTES) throw new PayloadTooLarge();
  askForBody(request.raw);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payload) {
    size += chunk.length;
    if (size > MAX_JSON_BYTES) throw new PayloadTooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw notJson();
  }
}

/** What is valid JSON, but no request that anybody here could read. */
function shapeFault(body: unknown): InvalidRequest | null {
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

function notJson(): InvalidRequest {
  return new InvalidRequest('The request body is not valid JSON in UTF-8.');
}
