/** Where a variable is set: for every server of the app, for the live deploy, or for previews. */
export const VARIABLE_SCOPES = ['all', 'production', 'preview'] as const;
export type VariableScope = (typeof VARIABLE_SCOPES)[number];

/** A variable of the servers of an app. Its value is never returned. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly scope: VariableScope;
  /** RFC 3339, UTC. */
  readonly updated_at: string;
  /** The name of the person or token that set it. */
  readonly updated_by: string;
}

/** `GET /api/apps/{id}/environment`: sorted by name. */
export interface EnvironmentVariableList {
  readonly items: readonly EnvironmentVariable[];
}

export const MAX_VARIABLES = 64;
/** Bytes of all names and values. */
export const MAX_ENVIRONMENT_BYTES = 64 * 1024;
