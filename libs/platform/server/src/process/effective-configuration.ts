import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../config/read-environment';

export interface ConfigurationOptions {
  /** Every variable the process reads. */
  readonly names: readonly string[];
  /** The variables whose values may be logged. */
  readonly shown: readonly string[];
}

export interface EffectiveConfiguration {
  /** The version of Homeport. */
  readonly homeport: string;
  readonly node: string;
  /** The values of shown variables; for others, whether they are set. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The settings that have their default. */
  readonly defaults: readonly string[];
}

/**
 * The effective configuration, which is logged at the start. It contains only the values of shown variables, and URLs
 * without credentials and query.
 * @param config the parsed values by name.
 * @param env the environment of the process.
 */
export function effectiveConfigurationOf(
  config: Readonly<Record<string, unknown>>,
  env: Environment,
  { names, shown }: ConfigurationOptions,
): EffectiveConfiguration {
  const isGiven = (name: string) => env[name] !== undefined && env[name] !== '';
  const settings = names.map((name) => [name, shown.includes(name) ? shownValue(config[name]) : stateOf(config[name])]);
  return {
    homeport: homeportVersion(),
    node: process.version,
    settings: Object.fromEntries(settings) as Record<string, unknown>,
    defaults: names.filter((name) => config[name] !== undefined && !isGiven(name)),
  };
}

function stateOf(value: unknown): string {
  return value === undefined ? '(unset)' : '(set)';
}

function shownValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[a-z]+:\/\//i.test(value)) return value ?? '(unset)';
  // Not normalized, because every character of an issuer is significant.
  const bare = value.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/, '');
  return bare.includes('@') ? stateOf(value) : bare;
}

/** @returns the version from the root package.json, which is above both the sources and the build. */
export function homeportVersion(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const { name, version } = packageIn(folder);
    if (name === 'homeport' && version !== undefined) return version;
  }
  return 'unknown';
}

function packageIn(folder: string): { readonly name?: string; readonly version?: string } {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
  } catch {
    return {};
  }
}
