import { messageOf, SetupFailed } from './errors.ts';

/** What a service's `startX` answers. */
export interface RunningService {
  close(): Promise<void>;
  /** Resolves with the reason when the service ends without having been asked to. */
  died?: Promise<Error>;
}

export interface ServiceEntry<T extends RunningService> {
  name: string;
  env: Record<string, string | undefined>;
  start: () => Promise<T>;
  /** What dependants need to reach the service; sent as the ready message, or printed. */
  addresses: (running: T) => Record<string, unknown>;
}

/**
 * Runs one development service as a process: reports `ready` or `failed` over IPC when there is a channel, in readable
 * lines when there is none, and stops on SIGINT, SIGTERM or when the parent is gone.
 */
export function runServiceProcess<T extends RunningService>(entry: ServiceEntry<T>): void {
  const running = open(entry);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    running
      .then((service) => service.close())
      .then(() => process.exit(0))
      .catch((error: unknown) => fail(entry.name, error));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
  // A parent that was killed takes the pipes with it; writing to them must not end us before we have cleaned up.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  running
    .then(async (service) => {
      report(entry.name, { type: 'ready', ...entry.addresses(service) });
      const reason = await service.died;
      if (reason && !stopping) fail(entry.name, reason);
    })
    .catch((error: unknown) => fail(entry.name, error));
}

async function open<T extends RunningService>(entry: ServiceEntry<T>): Promise<T> {
  if (entry.env['NODE_ENV'] === 'production') {
    throw new SetupFailed(`The embedded ${entry.name} is for development and tests; it refuses NODE_ENV=production.`);
  }
  return entry.start();
}

function report(name: string, message: { type: string } & Record<string, unknown>): void {
  if (process.send) {
    process.send(message);
    return;
  }
  const { type, ...rest } = message;
  console.log(`${name} ${type}`);
  for (const [key, value] of Object.entries(rest)) console.log(`  ${key.padEnd(12)} ${print(value)}`);
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function fail(name: string, error: unknown): void {
  const message = messageOf(error);
  if (!process.connected || !process.send) {
    console.error(`${name}: ${message}`);
    process.exit(1);
  }
  process.send({ type: 'failed', message }, () => process.exit(1));
}
