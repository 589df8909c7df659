import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupFailed } from '../errors.ts';
import { findPrograms, installAdvice } from '../system-programs.ts';
import type { Daemon, SystemPrograms } from '../system-programs.ts';
import { waitUntilReady } from '../wait-until-ready.ts';

export interface ProxyOptions {
  /** `host:port` of each instance. */
  instances: readonly string[];
}

export interface RunningProxy {
  port: number;
  died: Promise<Error>;
  close(): Promise<void>;
}

export interface ProxyPlan {
  /** A temporary folder for the configuration and the program's files. */
  folder: string;
  /** The program's path. */
  program: string;
}

const TRIES = 500;
const PAUSE_MILLISECONDS = 20;

/**
 * Starts a reverse proxy on loopback and waits until it accepts connections on `port`.
 * @throws {SetupFailed} with the packages to install when the proxy is missing.
 */
export async function startProxy(
  system: SystemPrograms,
  port: number,
  launch: (plan: ProxyPlan) => Promise<Daemon>,
): Promise<RunningProxy> {
  const found = await findPrograms(system);
  const [name = ''] = system.programs;
  if (!found) throw new SetupFailed(installAdvice(system));
  const folder = await mkdtemp(join(tmpdir(), `homeport-${name}-`));
  let daemon: Daemon | undefined;
  const close = async (): Promise<void> => {
    await daemon?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    daemon = await launch({ folder, program: join(found.get(name) ?? '', name) });
    await waitUntilReady(() => accepts(port), {
      tries: TRIES,
      pauseMilliseconds: PAUSE_MILLISECONDS,
      died: daemon.died,
      late: () => new SetupFailed('The proxy does not accept connections.'),
    });
    return { port, died: daemon.died, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });
}
