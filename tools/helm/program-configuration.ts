const NAMES = { api: 'ENVIRONMENT_NAMES', edge: 'EDGE_ENVIRONMENT_NAMES', runtime: 'RUNTIME_ENVIRONMENT_NAMES' };

export const PROGRAMS = Object.keys(NAMES);

/** What the AWS SDK reads besides, sorted. The API sets the one region of Route 53 and CloudFront itself. */
export const READ_BY_SDK: Readonly<Record<string, readonly string[]>> = {
  api: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  edge: [],
  runtime: ['AWS_ACCESS_KEY_ID', 'AWS_REGION', 'AWS_SECRET_ACCESS_KEY'],
};

/** The configuration of a program, loaded by its path, because tools depend on no program. */
export async function configurationOf(program: string) {
  const module = (await import(`../../apps/${program}/src/config.ts`)) as Record<string, unknown>;
  return {
    known: module[NAMES[program as keyof typeof NAMES]] as readonly string[],
    load: module['loadConfig'] as (environment: Record<string, string>) => Record<string, unknown>,
  };
}
