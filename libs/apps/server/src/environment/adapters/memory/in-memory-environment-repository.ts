import type { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import { EnvironmentRepository, type SealedVariable } from '../../application/environment-repository.port';
import type { EnvironmentUsage, VariableRecord } from '../../domain/variable';

const keyOf = (appId: string, name: string) => `${appId} ${name}`;

/** The variables in memory, for tests. */
export class InMemoryEnvironmentRepository extends EnvironmentRepository {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async list(appId: string): Promise<readonly VariableRecord[]> {
    return this.#of(appId)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, scope, updatedAt, updatedBy }) => ({ name, scope, updatedAt, updatedBy }));
  }

  async usageBesides(appId: string, name: string): Promise<EnvironmentUsage> {
    const others = this.#of(appId).filter((variable) => variable.name !== name);
    return { count: others.length, bytes: others.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  async set(variable: SealedVariable): Promise<VariableRecord> {
    const { appId, name, scope, updatedBy } = variable;
    const updatedAt = new Date();
    this.store.variables.set(keyOf(appId, name), { ...variable, updatedAt });
    return { name, scope, updatedBy, updatedAt };
  }

  async remove(appId: string, name: string): Promise<boolean> {
    return this.store.variables.delete(keyOf(appId, name));
  }

  #of(appId: string) {
    return [...this.store.variables.values()].filter((variable) => variable.appId === appId);
  }
}
