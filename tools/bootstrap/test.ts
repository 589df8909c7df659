import { messageOf, SetupFailed } from '../dev-services/errors.ts';
import { total } from './test-counts.ts';
import { PARTS, runSteps, SELECTABLE_PARTS, stepsFor } from './gate.ts';
import type { Part } from './gate.ts';
import { secondsSince } from './progress.ts';
import { stopRequest } from './stop-request.ts';

interface Arguments {
  parts: readonly Part[];
  filters: string[];
  /** Whether suites run in full instead of as a sample. */
  full: boolean;
}

/** `--only=unit|jest|e2e|static` runs one part, `--full` the full suites; other arguments go to Jest and Playwright. */
function readArguments(args: readonly string[]): Arguments {
  const only = args.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
  const full = args.includes('--full');
  const filters = args.filter((arg) => !arg.startsWith('--only=') && arg !== '--full');
  if (only === undefined) return { parts: PARTS, filters, full };
  const parts = SELECTABLE_PARTS.filter((part) => part === only);
  if (!parts.length) throw new SetupFailed(`--only takes ${SELECTABLE_PARTS.join(', ')}, not "${only}".`);
  return { parts, filters, full };
}

async function test(stop: AbortSignal): Promise<number> {
  const started = Date.now();
  const { parts, filters, full } = readArguments(process.argv.slice(2));
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    ...(full && { HOMEPORT_SUITES: 'full' }),
    ...(process.env['CI'] && { FORCE_COLOR: '0' }),
  };
  const { passed, failed, failures } = total(await runSteps(stepsFor({ parts, filters, env, stop }), stop));
  if (stop.aborted) return 130;
  for (const failure of failures) console.log(`\n${failure}`);
  console.log(`\nTook ${secondsSince(started)}.`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

test(stopRequest()).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
