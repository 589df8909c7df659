import { MAX_ENVIRONMENT_BYTES, MAX_VARIABLES, type VariableScope } from '@homeport/apps/contracts';
import { InvalidRequest } from '@homeport/kernel';

const NAME = /^[A-Z_][A-Z0-9_]{0,127}$/;
/** Names that the runtime sets, or that change how a program is loaded. */
const RESERVED = /^(PORT|HOST|NODE_OPTIONS|LD_.*|HOMEPORT_.*)$/;

/** A variable as it is stored, without its value. */
export interface VariableRecord {
  readonly name: string;
  readonly scope: VariableScope;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The variables that an app has besides the one that is set. */
export interface EnvironmentUsage {
  readonly count: number;
  /** Bytes of their names and values. */
  readonly bytes: number;
}

/** @throws {InvalidRequest} */
export function assertVariableName(name: string): void {
  if (!NAME.test(name)) {
    throw invalid('name', 'It must have 1 to 128 characters: A to Z, 0 to 9 and "_", and no digit first.');
  }
  if (RESERVED.test(name)) throw invalid('name', 'The name is reserved for Homeport.');
}

/** @returns the bytes that a variable takes. @throws {InvalidRequest} when the value or the whole environment is too large. */
export function sizeOfVariable(name: string, value: string, others: EnvironmentUsage): number {
  if (value.includes('\0') || !value.isWellFormed()) {
    throw invalid('value', 'It must be valid Unicode without NUL characters.');
  }
  const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
  if (others.count >= MAX_VARIABLES) throw invalid('name', `An app can have ${MAX_VARIABLES} variables.`);
  if (others.bytes + bytes > MAX_ENVIRONMENT_BYTES) {
    throw invalid('value', `The variables of an app can have ${MAX_ENVIRONMENT_BYTES / 1024} KiB in all.`);
  }
  return bytes;
}

function invalid(field: string, reason: string): InvalidRequest {
  return new InvalidRequest('The variable is invalid.', [{ field, reason }]);
}
