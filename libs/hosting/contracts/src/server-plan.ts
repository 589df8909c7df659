/** The frameworks whose builds are recognized; `node` is any other Node server, `amplify` a build with a manifest. */
export const FRAMEWORKS = [
  'angular',
  'next',
  'nitro',
  'astro',
  'sveltekit',
  'react-router',
  'node',
  'amplify',
] as const;

export type Framework = (typeof FRAMEWORKS)[number];

/** How the runtime starts the server of a deploy. Written by apps, read by hosting. */
export interface ServerPlan {
  readonly framework: Framework;
  /** `script`: run the entry, which listens on PORT. `handler`: import the entry and serve its export. */
  readonly kind: 'script' | 'handler';
  /** Path in the bundle. */
  readonly entry: string;
  /** For scripts: the arguments of the entry. */
  readonly args?: readonly string[];
  /** For handlers: the name of the export, such as `reqHandler` or `default` (a Node handler or an object with `fetch`). */
  readonly exportName?: string;
  /** Folder in the bundle to which the server writes its cache. Everything else in the bundle is read-only. */
  readonly cacheFolder?: string;
  /** Variables that the framework needs. The app's own variables do not override them. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Which variables of an app its server gets: those of the live deploy, or those of previews. */
export const REVISION_SCOPES = ['production', 'preview'] as const;
export type RevisionScope = (typeof REVISION_SCOPES)[number];
