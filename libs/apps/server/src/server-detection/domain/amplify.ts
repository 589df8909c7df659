import { z } from 'zod';
import { type Bundle, type DetectionRule, filesBelow, firstOf, SERVER_ENVIRONMENT } from './bundle';

const NAME = 'deploy-manifest.json';
/** Some tools write the manifest into a folder around everything else. */
const BASES = ['', '.amplify-hosting/'];
const MAX_ROUTES = 25;

const Target = z.object({ kind: z.enum(['Static', 'Compute', 'ImageOptimization']) });
const Manifest = z.object({
  version: z.literal(1),
  routes: z
    .array(z.object({ path: z.string().startsWith('/'), target: Target }))
    .min(1)
    .max(MAX_ROUTES),
  computeResources: z.tuple([
    z.object({
      name: z.literal('default'),
      runtime: z.enum(['nodejs20.x', 'nodejs22.x', 'nodejs24.x']),
      entrypoint: z.string().min(1),
    }),
  ]),
});
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
    return { path, unsupported: `The manifest names the entry point "${entry}", which the upload does not have.` };
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
function parse(text: string | undefined): Manifest | string {
  const expected = `Homeport reads version 1 with one compute resource "default" on Node.js 20, 22 or 24, and at most ${MAX_ROUTES} routes.`;
  if (text === undefined) return `The manifest could not be read. ${expected}`;
  try {
    const { data, error } = Manifest.safeParse(JSON.parse(text));
    const [issue] = error?.issues ?? [];
    return data ?? `The manifest is not supported: "${issue?.path.join('.') ?? ''}". ${expected}`;
  } catch {
    return `The manifest is not valid JSON. ${expected}`;
  }
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
