import type { EnvironmentUsage, VariableRecord } from '../domain/variable';

/** A variable to store. */
export interface SealedVariable extends Omit<VariableRecord, 'updatedAt'> {
  readonly appId: string;
  readonly sealed: Uint8Array;
  /** Bytes of the name and the value. */
  readonly bytes: number;
}

/** Stores the variables of apps. Every method can reject with DatabaseUnavailable. */
export abstract class EnvironmentRepository {
  /** Sorted by name. */
  abstract list(appId: string): Promise<readonly VariableRecord[]>;

  /** What the variables of an app take, except the given one. Lock the app before. */
  abstract usageBesides(appId: string, name: string): Promise<EnvironmentUsage>;

  /** Adds or replaces a variable. */
  abstract set(variable: SealedVariable): Promise<VariableRecord>;

  /** @returns false when the app has no such variable. */
  abstract remove(appId: string, name: string): Promise<boolean>;
}
