import { z } from 'zod';

type Settings = Readonly<Record<string, unknown>>;

/**
 * Checks that the program can open all of its ports.
 * @param names its ports of requests: those are on `HOST`, and `MANAGEMENT_PORT` is on `MANAGEMENT_HOST`.
 */
export function distinctPorts(...names: readonly string[]) {
  return z.superRefine<Settings>(
    (settings, context) => {
      const [first = '', ...others] = names;
      const report = (name: string, other: string) =>
        context.addIssue({ code: 'custom', path: [name], message: `is the same port as ${other}` });
      const areSame = (one: string, other: string) =>
        typeof settings[one] === 'number' && settings[one] === settings[other];
      for (const name of others) if (areSame(name, first)) report(name, first);
      const taken = names.find((name) => areSame('MANAGEMENT_PORT', name));
      const hosts = [String(settings['HOST']), String(settings['MANAGEMENT_HOST'])];
      if (shareAddress(hosts) && taken !== undefined) report('MANAGEMENT_PORT', taken);
    },
    // Runs when other variables are invalid too, so that all errors are reported at once.
    { when: () => true },
  );
}

/** `::` includes all addresses of IPv4, as Node.js opens it. */
function shareAddress(hosts: readonly string[]): boolean {
  const [one, other] = hosts;
  if (one === other || hosts.includes('::')) return true;
  return hosts.includes('0.0.0.0') && !hosts.some((host) => host.includes(':'));
}
