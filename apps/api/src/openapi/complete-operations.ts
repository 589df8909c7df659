import { type RoutePolicies, scopesOf } from '@homeport/identity/server';
import { CapacityUnavailable, InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '@homeport/kernel';
import {
  IGNORES_UNKNOWN_QUERY,
  JSON_BODY_ALTERNATIVE,
  problemContent,
  responseHeaders,
} from '@homeport/platform/server/http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ALWAYS_SERVED } from '../api-load-shedder';
import { describeParameters } from './describe-parameters';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Responses = Operation['responses'];
type Response = Exclude<NonNullable<Responses[string]>, { $ref: string }>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const INVALID_QUERY = {
  description: '`platform.invalid-request`: an unknown, repeated or empty query parameter',
  content: problemContent(new InvalidRequest('Unknown query parameter: "colour".')),
};
/** Reading the body of a request comes before everything else, so these also answer calls that have no body. */
const INVALID_BODY = {
  413: { description: '`platform.payload-too-large`', content: problemContent(new PayloadTooLarge()) },
  415: { description: '`platform.unsupported-media-type`', content: problemContent(new UnsupportedMediaType()) },
};
/** An overloaded instance refuses requests before anything else. */
const OVERLOAD = { description: '`platform.capacity-unavailable`', content: problemContent(new CapacityUnavailable()) };
/** Of responses that need no other words. */
const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Succeeded',
  201: 'Created',
  202: 'Accepted; the work continues',
  204: 'Succeeded, without a body',
};
/** Registrations that the idempotency key stores; other responses are not repeated. */
const REPLAYED = ['201', '400', '403', '409'];
/** Range requests are defined only for GET (RFC 9110, section 14.2). */
const ONLY_FOR_GET = { headers: ['Range', 'If-Range'], statuses: ['206', '416'] };

/**
 * Adds the parts that follow general rules, so that controllers need not repeat them: the request id, rate limit
 * headers, 400 for unknown query parameters, an empty `security` for public operations, the scopes of tokens, and HEAD
 * operations.
 * @param policies the access policies, by method and route pattern.
 */
export function completeOperations(paths: OpenAPIObject['paths'], policies: RoutePolicies): OpenAPIObject['paths'] {
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, completeItem(path, item, policies)]));
}

/** The route of an operation: OpenAPI writes `{id}` where the router writes `:id`, and `{path}` where it writes `*`. */
function routeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1')}`;
}

function completeItem(path: string, item: PathItem, policies: RoutePolicies): PathItem {
  const completed = { ...item };
  for (const method of METHODS) {
    const operation = item[method];
    const policy = policies[routeOf(method, path)] ?? 'public';
    if (operation !== undefined)
      completed[method] = completeOperation(
        withBodyProblems(method, describeParameters(path, operation)),
        path,
        scopesOf(policy),
      );
  }
  const { get } = completed;
  return get !== undefined && hasEntityTag(get) ? { ...completed, head: headOf(get) } : completed;
}

function completeOperation(operation: Operation, path: string, scopes: readonly string[]): Operation {
  const ignoresQuery = IGNORES_UNKNOWN_QUERY in operation;
  const isRedirect = Object.keys(operation.responses).every((status) => status >= '3');
  const responses = {
    ...(!ignoresQuery && { 400: INVALID_QUERY }),
    ...operation.responses,
    ...(!ALWAYS_SERVED.has(path) && { 503: withOverload(operation.responses['503']) }),
    ...(isRedirect && { default: OTHER_RESPONSES }),
  };
  const isLimited = '429' in responses;
  const takesKey = operation.parameters?.some((each) => 'name' in each && each.name === 'Idempotency-Key') ?? false;
  const usesCookie = operation.security?.some((requirement) => 'cookie' in requirement) ?? false;
  return {
    ...withJsonAlternative(operation),
    // One of these is enough.
    security: [...(operation.security ?? []), ...scopes.map((scope) => ({ token: [scope] }))],
    responses: mapResponses(responses, (response, status) => ({
      ...response,
      description: response.description || (SUCCESSES[status] ?? ''),
      headers: {
        ...response.headers,
        ...responseHeaders('X-Request-Id', ...(isLimited ? RATE_LIMIT : [])),
        ...((path.startsWith('/api/') || status >= '4') && responseHeaders('Cache-Control')),
        ...(path.startsWith('/api/') && responseHeaders('Vary')),
        ...(takesKey && REPLAYED.includes(status) && responseHeaders('Idempotency-Replayed')),
        ...(usesCookie && status === '401' && responseHeaders('Set-Cookie', 'Clear-Site-Data')),
      },
    })),
  };
}

/** A body of GET is not read. */
function withBodyProblems(method: string, operation: Operation): Operation {
  if (method === 'get') return operation;
  return { ...operation, responses: { ...INVALID_BODY, ...operation.responses } };
}

function withOverload(described: Responses[string]): Response {
  const headers = responseHeaders('Retry-After');
  if (described === undefined || '$ref' in described) return { ...OVERLOAD, headers };
  if (described.description.includes(OVERLOAD.description)) return described;
  const examplesOf = ({ content }: Pick<Response, 'content'>) => content?.['application/problem+json']?.examples;
  const problems = {
    ...described.content?.['application/problem+json'],
    examples: { ...examplesOf(described), ...examplesOf(OVERLOAD) },
  };
  return {
    description: [described.description, OVERLOAD.description].filter(Boolean).join(', '),
    content: { ...described.content, 'application/problem+json': problems },
    headers: { ...described.headers, ...headers },
  };
}

/** Adds the JSON body of `ApiJsonBodyAlternative` to the media types of the body. */
function withJsonAlternative(operation: Operation): Operation {
  const { [JSON_BODY_ALTERNATIVE]: json, ...rest } = operation as Operation & Record<string, object | undefined>;
  const { requestBody } = operation;
  if (json === undefined || requestBody === undefined || '$ref' in requestBody) return operation;
  return { ...rest, requestBody: { ...requestBody, content: { ...requestBody.content, 'application/json': json } } };
}

/** A redirect has no response that is a success, and its other responses are all problems. */
const OTHER_RESPONSES = { description: 'Any other problem', content: problemContent() };

const RATE_LIMIT = ['RateLimit', 'RateLimit-Policy'] as const;

/** Every GET route also serves HEAD. HEAD is documented where it is useful: for responses with an entity tag. */
function hasEntityTag({ responses }: Operation): boolean {
  const ok = responses['200'];
  return ok !== undefined && 'headers' in ok && 'ETag' in (ok.headers ?? {});
}

function headOf(get: Operation): Operation {
  const included = Object.entries(get.responses).filter(([status]) => !ONLY_FOR_GET.statuses.includes(status));
  return {
    ...get,
    operationId: `${get.operationId}Headers`,
    summary: `${get.summary} (headers only)`,
    description: 'Like GET, without the body.',
    parameters: (get.parameters ?? []).filter(
      (parameter) => !('name' in parameter && ONLY_FOR_GET.headers.includes(parameter.name)),
    ),
    responses: mapResponses(Object.fromEntries(included), ({ description, headers }) => ({
      description,
      ...(headers && { headers }),
    })),
  };
}

function mapResponses(responses: Responses, change: (response: Response, status: string) => Response): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      response === undefined || '$ref' in response ? response : change(response, status),
    ]),
  );
}
