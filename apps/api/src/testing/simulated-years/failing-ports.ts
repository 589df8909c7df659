import type { MonthToCharge } from '@homeport/usage/server';
import type { PortWrapper } from '@homeport/usage/server/testing';

export interface Failures {
  /** The step at which the instance is killed: even before a call of a port, odd after it. Absent: never. */
  readonly killedAt?: number;
  /** Whether a month cannot be charged. */
  readonly refuses: (month: MonthToCharge) => boolean;
}

/** Makes the ports of one instance fail. After its end, all calls fail. */
export function failingPorts({ killedAt = Infinity, refuses }: Failures): PortWrapper {
  let steps = 0;
  const step = () => {
    if (steps++ >= killedAt) throw new Error('killed');
  };
  return (port) =>
    new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...parameters: unknown[]) => {
          step();
          if (name === 'charge' && (parameters[0] as readonly MonthToCharge[]).some(refuses))
            throw new Error('refused');
          const result: unknown = await method.apply(target, parameters);
          step();
          return result;
        };
      },
    });
}
