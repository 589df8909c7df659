import { join } from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Environment {
  /** The address of the server; undefined when not set. */
  readonly url: string | undefined;
  readonly token: string | undefined;
  /** Folder of the credentials. */
  readonly configDir: string;
  /** Folder of what a later run needs to know, such as the state of a synchronized folder. */
  readonly stateDir: string;
  /** Whether a pipeline runs the command. */
  readonly isPipeline: boolean;
  /** Variables that describe the commit, in pipelines. */
  readonly variables: Variables;
}

/** @param home the person's folder. */
export function readEnvironment(variables: Variables, home: string): Environment {
  const set = (name: string) => variables[name] || undefined;
  return {
    url: set('HOMEPORT_URL'),
    token: set('HOMEPORT_TOKEN'),
    configDir: join(set('XDG_CONFIG_HOME') ?? join(home, '.config'), 'homeport'),
    stateDir: join(set('XDG_STATE_HOME') ?? join(home, '.local/state'), 'homeport'),
    isPipeline: set('CI') !== undefined,
    variables,
  };
}
