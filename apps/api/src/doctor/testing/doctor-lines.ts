import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { loadConfig } from '../../config';
import { type Check, runChecks } from '../check';
import { checksOf } from '../checks';
import { lineOf } from '../report';

export type Settings = Readonly<Record<string, string>>;

/** Runs one check with those that it needs. @returns the line of the check. */
export async function doctorLine(name: string, env: Settings): Promise<string> {
  const checks = checksOf(loadConfig(env), env);
  const needed = neededBy(name, checks);
  let line = '';
  for await (const report of runChecks(checks.filter((check) => needed.has(check.name)))) {
    if (report.name === name) line = lineOf(report, name.length);
  }
  return line;
}

function neededBy(name: string, checks: readonly Check[]): ReadonlySet<string> {
  const { needs = [] } = checks.find((check) => check.name === name) ?? {};
  return new Set([name, ...needs.flatMap((each) => [...neededBy(each, checks)])]);
}

/** A server that accepts connections and never answers. */
export class BlackHole {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
    });
  }

  static async open(): Promise<BlackHole> {
    const hole = new BlackHole();
    await new Promise<void>((resolve) => hole.#server.listen(0, '127.0.0.1', resolve));
    return hole;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** @returns a port on which no server listens. */
export async function closedPort(): Promise<number> {
  const hole = await BlackHole.open();
  const { port } = hole;
  await hole.close();
  return port;
}
