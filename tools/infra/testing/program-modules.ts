/** A module of a program, loaded by its path, because tools depend on no program. @param path such as `api/src/config`. */
export async function programModule(path: string): Promise<Record<string, unknown>> {
  return (await import(`../../../apps/${path}.ts`)) as Record<string, unknown>;
}
