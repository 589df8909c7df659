import type { DeployProblem } from '@homeport/apps/contracts';
import type { ServerPlan } from '@homeport/hosting/contracts';

/** The files of an upload whose server is to be found. */
export interface Bundle {
  readonly paths: ReadonlySet<string>;
  /** The texts of small files by path; a file that is too large has none. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A server that can be started, and the files that are served without it. */
export interface DetectedServer {
  readonly plan: ServerPlan;
  /** Paths in the bundle by the paths at which they are served. All other files are only for the server. */
  readonly staticFiles: ReadonlyMap<string, string>;
  readonly problems: readonly DeployProblem[];
}

/** A server that was recognized, but cannot be started as it is. */
export interface UnsupportedServer {
  readonly path: string;
  /** What is wrong, and what to do. */
  readonly unsupported: string;
}

/** Recognizes the builds of one framework. @returns undefined for other builds. */
export type DetectionRule = (bundle: Bundle) => DetectedServer | UnsupportedServer | undefined;

/** Variables that every server gets: it must listen where the runtime expects it. */
export const SERVER_ENVIRONMENT: ServerPlan['environment'] = {
  HOST: '127.0.0.1',
  HOSTNAME: '127.0.0.1',
  NODE_ENV: 'production',
  PORT: '3000',
};

/** Maps the files of a folder to the paths at which they are served. @param folder ends with "/". */
export function filesBelow({ paths }: Bundle, folder: string, prefix = ''): [string, string][] {
  return [...paths].filter((path) => path.startsWith(folder)).map((path) => [prefix + path.slice(folder.length), path]);
}

/** Joins static files; a path that two files claim belongs to the first one. */
export function firstOf(...files: readonly (readonly [string, string])[][]): ReadonlyMap<string, string> {
  return new Map(files.flat().toReversed());
}

/** Whether the bundle has a file in this folder. @param folder ends with "/". */
export function hasFolder({ paths }: Bundle, folder: string): boolean {
  return [...paths].some((path) => path.startsWith(folder));
}
