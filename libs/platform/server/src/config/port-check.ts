import { z } from 'zod';

type Settings = Readonly<Record<string, unknown>>;

const ALL_ADDRESSES: readonly unknown[] = ['0.0.0.0', '::'];

/**
 * Checks that the program can open all of its ports.
 * @param names its ports of requests: those are on `HOST`, and `MANAGEMENT_PORT` is on `MANAGEMENT_HOST`.
 */
export function distinctPorts(...names: readonly string[]) {
  return z.superRefine<Settings>(
    (settings, context) => {
      const { HOST, MANAGEMENT_HOST } = settings;
      const [first = '', ...others] = names;
      const report = (name: string, other: string) =>
        context.addIssue({ code: 'custom', path: [name], message: `is the same port as ${other}` });
      const areSame = (one: string, other: string) =>
        typeof settings[one] === 'number' && settings[one] === settings[other];
      for (const name of others) if (areSame(name, first)) report(name, first);
      const shares = [HOST, MANAGEMENT_HOST].some((host) => ALL_ADDRESSES.includes(host)) || HOST === MANAGEMENT_HOST;
      const taken = names.find((name) => areSame('MANAGEMENT_PORT', name));
      if (shares && taken !== undefined) report('MANAGEMENT_PORT', taken);
    },
    // Runs when other variables are invalid too, so that all errors are reported at once.
    { when: () => true },
  );
}
