import { findPrograms, freePort, HAPROXY, NGINX, startHaproxy, startNginxBalancer } from '@homeport/dev-services';
import { suiteSize, until } from './suites';

const CHECK_MS = suiteSize(250, 2_000);
/** The duration of three checks. */
export const SHUTDOWN_NOTICE_MS = String(suiteSize(750, 6_000));

export interface Balancer {
  readonly port: number;
  /** Resolves when requests go to both instances. */
  usesBoth(): Promise<void>;
  close(): Promise<void>;
}

export type StartBalancer = (instances: readonly string[]) => Promise<Balancer>;

export const haproxy: StartBalancer = async (instances) => {
  const proxy = await startHaproxy({ instances, checkMs: CHECK_MS });
  return { ...proxy, usesBoth: () => until(async () => (await proxy.instancesUp()) === 2) };
};
export const nginx =
  (keepAlive: boolean): StartBalancer =>
  async (instances) => ({
    ...(await startNginxBalancer({ instances, keepAlive, failures: 'max_fails=0' })),
    usesBoth: async () => undefined,
  });

const AVAILABLE = [
  { title: 'HAProxy', programs: HAPROXY, start: haproxy },
  { title: 'nginx', programs: NGINX, start: nginx(true) },
  { title: 'nginx with a connection for each request', programs: NGINX, start: nginx(false) },
];

/** The load balancers of this machine. `npm test` reports missing ones. */
export async function installedBalancers(): Promise<typeof AVAILABLE> {
  const installed = await Promise.all(AVAILABLE.map(({ programs }) => findPrograms(programs)));
  return AVAILABLE.filter((_, at) => installed[at] !== undefined);
}

interface Instance {
  stop(): Promise<void>;
}

/** Two instances of a program, at ports that outlive them. */
export class InstancePair {
  readonly #instances: Instance[] = [];
  readonly #ports: number[] = [];

  static async start(start: (port: number) => Promise<Instance>): Promise<InstancePair> {
    const pair = new InstancePair();
    pair.#ports.push(await freePort(), await freePort());
    // One after the other: starting already loads the machine.
    for (const port of pair.#ports) pair.#instances.push(await start(port));
    return pair;
  }

  /** `host:port` of each. */
  get addresses(): readonly string[] {
    return this.#ports.map((port) => `127.0.0.1:${port}`);
  }

  /** Replaces one instance after the other. @param isReady resolves when the balancers use both. */
  async replace(start: (port: number) => Promise<Instance>, isReady: () => Promise<unknown>): Promise<void> {
    for (const [at, port] of this.#ports.entries()) {
      await isReady();
      await this.#instances[at]?.stop();
      this.#instances[at] = await start(port);
    }
    await isReady();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#instances.map((each) => each.stop()));
  }
}
