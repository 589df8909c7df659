import { messageOf, SetupFailed } from './errors.ts';

/** The result of a service's `startX` function. */
export interface RunningService {
  close(): Promise<void>;
  /** Resolves with the reason when the service ends without a stop request. */
  died?: Promise<Error>;
}

export interface ServiceEntry<T extends RunningService> {
  name: string;
  env: Record<string, string | undefined>;
  start: () => Promise<T>;
  /** The addresses for clients of the service; sent with the ready message, or printed. */
  addresses: (running: T) => Record<string, unknown>;
}

/**
 * Runs a development service as a process. Reports `ready` or `failed` over IPC, or as readable lines without an IPC
 * channel. Stops on SIGINT, SIGTERM or when the parent has ended.
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
  // A killed parent closes the pipes; writing to them must not end this process before the clean-up.
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
