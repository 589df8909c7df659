import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { tarGz } from './apps/archives';
import { DeployClient } from './apps/deploy-client';
import { call, callJson, signIn } from './homeport';

interface MediaType {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly externalValue?: string }>>;
}
interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    example?: string;
    schema: { example?: string };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>>;
}

/** What a request needs beyond the examples: existing resources, and bytes. */
interface Prepared {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'];
}

const PAGE = '<h1>Hello</h1>';
const DIGEST = `sha256:${createHash('sha256').update(PAGE).digest('hex')}`;
const FILES = { 'index.html': { digest: DIGEST, size: PAGE.length } };
/** Signs out everywhere, which ends no session of another test. */
const PERSON = 'jon';

const REJECTED: Readonly<Record<string, number>> = {
  // The example is no token of a pipeline. `trusts.int.spec.ts` of the API sends real ones.
  exchangeToken: 400,
  // No month of the organization is charged yet.
  getCharge: 404,
};

let token: string;
let deployer: DeployClient;
let document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const anApp = async () => ({ id: (await deployer.register('Example')).id });
const put = (path: string) => call(`/api/files/${path}`, { token, method: 'PUT', body: PAGE });

async function deployed(times = 1): Promise<{ app: string; id: string }> {
  const { id: app } = await anApp();
  let id = '';
  for (let each = 0; each < times; each++) id = (await deployer.deploy(app, { 'index.html': PAGE })).body.id;
  return { app, id };
}

async function startedByDigest(): Promise<string> {
  const { id } = await anApp();
  const response = await callJson(`/api/apps/${id}/deploys`, token, 'POST', { files: FILES });
  return ((await response.json()) as { id: string }).id;
}

const ofApp = async (): Promise<Prepared> => ({ parameters: await anApp() });
const ofVariable = async (): Promise<Prepared> => ({ parameters: { ...(await anApp()), name: 'DATABASE_URL' } });
const ofDeploy = async (): Promise<Prepared> => ({ parameters: { id: (await deployed()).id } });
const ofFile = async (): Promise<Prepared> => {
  await put('reports/2026/q3.md');
  return {};
};
let domainCount = 0;
const newDomain = async () => ({
  kind: 'hostname',
  name: `www.example-${process.pid}-${domainCount++}.com`,
  app_id: (await anApp()).id,
  accept_price_usd: 10,
});
const ofDomain = async (): Promise<Prepared> => {
  const response = await callJson('/api/domains', token, 'POST', await newDomain());
  return { parameters: { id: ((await response.json()) as { id: string }).id } };
};
const inBrowser = async (): Promise<Prepared> => ({
  headers: { cookie: (await signIn(PERSON)).cookie, 'sec-fetch-site': 'same-origin' },
});

const PREPARED: Readonly<Record<string, () => Promise<Prepared>>> = {
  getSession: inBrowser,
  listSessions: inBrowser,
  signOutEverywhere: inBrowser,
  endSession: inBrowser,
  signOut: inBrowser,
  completeSignIn: async () => ({ headers: { 'sec-fetch-mode': 'navigate' } }),
  createTrust: ofApp,
  listTrusts: ofApp,
  deleteTrust: ofApp,
  registerApp: async () => ({ headers: { 'idempotency-key': `example-${process.pid}` } }),
  getApp: ofApp,
  deleteApp: ofApp,
  retryAppDns: ofApp,
  listDeploys: ofApp,
  listVariables: ofApp,
  setVariable: ofVariable,
  deleteVariable: ofVariable,
  getRuntime: ofApp,
  restartRuntime: ofApp,
  listLogLines: ofApp,
  createDeploy: ofApp,
  createDomain: async () => ({ body: JSON.stringify(await newDomain()) }),
  getDomain: ofDomain,
  updateDomain: ofDomain,
  checkDomain: ofDomain,
  deleteDomain: ofDomain,
  rollBackApp: async () => ({ parameters: { id: (await deployed(2)).app } }),
  releaseBranchAlias: ofApp,
  getDeploy: ofDeploy,
  deleteDeploy: async () => {
    const { app, id } = await deployed();
    await deployer.deploy(app, { 'index.html': PAGE });
    return { parameters: { id } };
  },
  listDeployFiles: ofDeploy,
  activateDeploy: ofDeploy,
  uploadBlob: async () => ({ parameters: { id: await startedByDigest(), digest: DIGEST }, body: PAGE }),
  finishDeploy: async () => {
    const id = await startedByDigest();
    await call(`/api/deploys/${id}/blobs/${DIGEST}`, {
      token,
      method: 'PUT',
      body: PAGE,
      headers: { 'content-type': 'application/octet-stream' },
    });
    return { parameters: { id } };
  },
  followChanges: async () => ({ headers: { accept: 'text/event-stream' } }),
  readFile: ofFile,
  readFileHeaders: ofFile,
  writeFile: async () => ({ body: PAGE }),
  reportUsage: async () => {
    const { content } = document.paths['/api/usage/events']?.['post']?.requestBody ?? { content: {} };
    const [event] = Object.values(content)[0]?.example as readonly object[];
    const { org_id: subject } = decodeJwt(token);
    return { body: JSON.stringify([{ ...event, subject, time: new Date().toISOString() }]) };
  },
  createArchiveLink: async () => {
    await Promise.all([put('reports/a.md'), put('notes/a.md')]);
    return {};
  },
  downloadArchive: async () => {
    await put('reports/a.md');
    const response = await callJson('/api/archives', token, 'POST', { paths: ['reports/a.md'] });
    return { parameters: { ticket: ((await response.json()) as { url: string }).url.replace('/v1/archives/', '') } };
  },
};

beforeAll(async () => {
  ({ token } = await signIn(PERSON));
  deployer = new DeployClient(token);
  document = (await (await call('/docs/openapi.json')).json()) as typeof document;
});

/** The path with its examples, or with the prepared values. */
function targetOf(path: string, { parameters = [] }: Operation, prepared: Prepared): string {
  const valueOf = (name: string) => {
    const described = parameters.find((each) => each.name === name);
    return prepared.parameters?.[name] ?? described?.example ?? described?.schema.example ?? '';
  };
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name }) => `${name}=${encodeURIComponent(valueOf(name))}`);
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(valueOf(name)).replaceAll('%2F', '/'),
  );
  return query.length > 0 ? `${target}?${query.join('&')}` : target;
}

function bodyOf(type: string | undefined, media: MediaType | undefined): RequestInit['body'] {
  if (media?.example === undefined) return undefined;
  return type === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(media.example as Record<string, string>)
    : JSON.stringify(media.example);
}

function expectedStatus({ responses }: Operation): number {
  return Math.min(
    ...Object.keys(responses)
      .map(Number)
      .filter((status) => status < 400),
  );
}

/** Sends the example of an operation. The responses are compared with the document by the set-up of the tests. */
async function statusOfExample(path: string, method: string, operation: Operation): Promise<number> {
  const prepared = await PREPARED[operation.operationId]?.();
  const [type, media] = Object.entries(operation.requestBody?.content ?? {}).at(-1) ?? [];
  const response = await call(targetOf(path, operation, prepared ?? {}), {
    ...(operation.security.some((each) => 'bearer' in each) && { token }),
    method: method.toUpperCase(),
    headers: { ...(type !== undefined && type !== '*/*' && { 'content-type': type }), ...prepared?.headers },
    body: prepared?.body ?? bodyOf(type, media),
    redirect: 'manual',
  });
  await response.body?.cancel();
  return response.status;
}

describe('the examples of the OpenAPI document', () => {
  it('are requests that get the described response', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const expected = REJECTED[operation.operationId] ?? expectedStatus(operation);
        expect([method, path, await statusOfExample(path, method, operation)]).toEqual([method, path, expected]);
      }
    }
  });

  it('include live statements', async () => {
    const live = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ responses }) =>
        Object.values(responses['200']?.content ?? {}).flatMap(({ examples }) =>
          Object.values(examples ?? {}).flatMap(({ externalValue }) => externalValue ?? []),
        ),
      ),
    );
    expect(live).toHaveLength(3);
    for (const path of live) expect([path, (await call(path)).status]).toEqual([path, 200]);
  });

  it('include archives', async () => {
    const { id } = await anApp();
    const headers = { 'content-type': 'application/gzip' };
    const body = new Uint8Array(await tarGz({ 'index.html': PAGE }));
    expect((await call(`/api/apps/${id}/deploys`, { token, method: 'POST', headers, body })).status).toBe(201);
  });
});
