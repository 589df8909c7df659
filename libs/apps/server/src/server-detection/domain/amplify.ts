import { z } from 'zod';
import { type Bundle, type DetectionRule, filesBelow, firstOf, SERVER_ENVIRONMENT } from './bundle';

const NAME = 'deploy-manifest.json';
/** Some tools write the manifest into a folder around everything else. */
const BASES = ['', '.amplify-hosting/'];
const MAX_ROUTES = 25;
const MEND = 'Correct it, or the adapter of the framework that writes it, and deploy again.';

const path = z.string('has to be an address that begins with "/"').startsWith('/', 'has to begin with "/"');
const target = z.object(
  { kind: z.enum(['Static', 'Compute', 'ImageOptimization'], 'has to be Static, Compute or ImageOptimization') },
  'has to have a "kind"',
);
const resource = z.object(
  {
    name: z.literal('default', 'has to be "default"'),
    runtime: z.enum(['nodejs20.x', 'nodejs22.x', 'nodejs24.x'], 'has to be nodejs20.x, nodejs22.x or nodejs24.x'),
    entrypoint: z
      .string('has to name the file that starts the server')
      .min(1, 'has to name the file that starts the server'),
  },
  'has to have "name", "runtime" and "entrypoint"',
);
const Manifest = z.object(
  {
    version: z.literal(1, 'has to be 1'),
    routes: z
      .array(z.object({ path, target }, 'has to have "path" and "target"'), 'has to be a list of routes')
      .min(1, 'has to have a route')
      .max(MAX_ROUTES, `may have at most ${MAX_ROUTES} routes`),
    computeResources: z.tuple([resource], 'has to have one resource: each app has one server'),
  },
  'has to be an object',
);
type Manifest = z.infer<typeof Manifest>;

/** A deployment specification of Amplify Hosting, version 1. */
export const detectAmplify: DetectionRule = (bundle) => {
  const base = BASES.find((folder) => bundle.paths.has(folder + NAME));
  if (base === undefined) return undefined;
  const path = base + NAME;
  const manifest = parse(bundle.texts.get(path));
  if (typeof manifest === 'string') return { path, unsupported: manifest };
  const entry = `${base}compute/default/${manifest.computeResources[0].entrypoint}`;
  if (!bundle.paths.has(entry)) {
    const missing = `The manifest names the entry point "${entry}", which the upload does not have.`;
    return { path, unsupported: `${missing} Deploy the whole folder that the build wrote, with "compute/default".` };
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

/** @returns the manifest, or what is wrong with it, and what to do. */
function parse(text: string | undefined): Manifest | string {
  if (text === undefined) return `The manifest is too large to be read. ${MEND}`;
  try {
    const { data, error } = Manifest.safeParse(JSON.parse(text));
    const [issue] = error?.issues ?? [];
    return data ?? `${fieldOf(issue?.path ?? [])} ${issue?.message}. ${MEND}`;
  } catch {
    return `The manifest is not valid JSON. ${MEND}`;
  }
}

/** @returns a name such as "routes[0].path". */
function fieldOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'The manifest';
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return `"${steps.join('').slice(1)}" of the manifest`;
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
