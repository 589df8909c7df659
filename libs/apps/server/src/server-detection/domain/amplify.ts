import { z } from 'zod';
import { type Bundle, type DetectionRule, filesBelow, firstOf, SERVER_ENVIRONMENT } from './bundle';

const NAME = 'deploy-manifest.json';
/** Some tools write the manifest into a folder around everything else. */
const BASES = ['', '.amplify-hosting/'];
const MAX_ROUTES = 25;

const OBJECT = 'must be a JSON object';
const PATH = 'must be a path that starts with "/"';
const ROUTES = `must be a list of 1 to ${MAX_ROUTES} routes`;
const RESOURCES = 'must be a list of one resource, which is the server';
const ENTRY_POINT = 'must be the file of the server, as a path in "compute/default"';

const Route = z.object(
  {
    path: z.string(PATH).startsWith('/', PATH),
    target: z.object(
      {
        kind: z.enum(['Static', 'Compute', 'ImageOptimization'], 'must be "Static", "Compute" or "ImageOptimization"'),
      },
      OBJECT,
    ),
  },
  OBJECT,
);
const Resource = z.object(
  {
    name: z.literal('default', 'must be "default"'),
    runtime: z.enum(['nodejs20.x', 'nodejs22.x', 'nodejs24.x'], 'must be "nodejs20.x", "nodejs22.x" or "nodejs24.x"'),
    entrypoint: z.string(ENTRY_POINT).min(1, ENTRY_POINT),
  },
  OBJECT,
);
/** The messages follow the name of the field. */
const Manifest = z.object(
  {
    version: z.literal(1, 'must be 1'),
    routes: z.array(Route, ROUTES).min(1, ROUTES).max(MAX_ROUTES, ROUTES),
    computeResources: z.tuple([Resource], RESOURCES),
  },
  OBJECT,
);
type Manifest = z.infer<typeof Manifest>;

/** A deployment specification of Amplify Hosting, version 1. */
export const detectAmplify: DetectionRule = (bundle) => {
  const base = BASES.find((folder) => bundle.paths.has(folder + NAME));
  if (base === undefined) return undefined;
  const path = base + NAME;
  const manifest = parse(path, bundle.texts.get(path));
  if (typeof manifest === 'string') return { path, unsupported: manifest };
  const entry = `${base}compute/default/${manifest.computeResources[0].entrypoint}`;
  if (!bundle.paths.has(entry)) {
    const unsupported = `"${path}" names the server "${entry}", which the upload does not have. Deploy the whole output of the build, or correct "entrypoint" in the manifest.`;
    return { path, unsupported };
  }
  return {
    plan: { framework: 'amplify', kind: 'script', entry, environment: SERVER_ENVIRONMENT },
    staticFiles: staticFilesOf(bundle, base, manifest),
    problems: manifest.routes
      .filter(({ target }) => target.kind === 'ImageOptimization')
      .map((route) => ({
        path,
        line: null,
        reason: `Images are not optimized by Homeport: the server of the app answers "${route.path}".`,
      })),
  };
};

/** @returns the manifest, or what is wrong with it. */
function parse(path: string, text: string | undefined): Manifest | string {
  if (text === undefined)
    return `"${path}" is too large for a manifest. Build again with the adapter of the framework for Amplify Hosting.`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `"${path}" is not valid JSON. Build again with the adapter of the framework for Amplify Hosting, or correct the file.`;
  }
  const { data, error } = Manifest.safeParse(json);
  if (data) return data;
  const [issue] = error.issues;
  const field = issue?.path.length ? `"${fieldOf(issue.path)}" in "${path}"` : `"${path}"`;
  return `${field} is not valid: it ${issue?.message}. Correct it in the file, or in the adapter that writes the file, and deploy again.`;
}

/** @returns a name such as "routes[0].path". */
function fieldOf(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').slice(1);
}

/** A static file is served without the server when the first route for its address has a static target. */
function staticFilesOf(bundle: Bundle, base: string, { routes }: Manifest): ReadonlyMap<string, string> {
  const isStatic = ([url]: [string, string]) =>
    routes.find(({ path }) => isMatch(path, `/${url}`))?.target.kind === 'Static';
  return firstOf(filesBelow(bundle, `${base}static/`).filter(isStatic));
}

/** @param pattern `*` stands for any characters. Takes linear time, because manifests are not trusted. */
function isMatch(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return path === pattern;
  if (path.length < first.length + last.length || !path.startsWith(first) || !path.endsWith(last)) return false;
  let position = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return position <= path.length - last.length;
}
