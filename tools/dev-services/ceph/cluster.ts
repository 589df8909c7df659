import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupFailed } from '../errors.ts';
import { freePort } from '../ports.ts';
import { type Daemon, runTool, startDaemon } from '../system-programs.ts';
import { waitUntilReady } from '../wait-until-ready.ts';
import { type ClusterPlan, configurationOf, monitorAddresses } from './configuration.ts';

export interface ClusterOptions {
  /** Emptied at the start: objects are in memory, so files of an earlier run are useless. */
  readonly folder: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Cluster {
  readonly port: number;
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

const ALLOW = (...daemons: readonly string[]) => daemons.flatMap((daemon) => ['--cap', daemon, 'allow *']);
const ANSWER_TRIES = 300;
const ANSWER_PAUSE_MILLISECONDS = 200;

/** Starts the smallest cluster that speaks S3: a monitor, a storage daemon, a gateway. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder } = options;
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'mon.a'), { recursive: true });
  await mkdir(join(folder, 'osd.0'));
  const ports = { v2: await freePort(), v1: await freePort(), gateway: options.port || (await freePort()) };
  const plan: ClusterPlan = { folder, fsid: randomUUID(), ports };
  await writeFile(join(folder, 'ceph.conf'), configurationOf(plan));
  const daemons: Daemon[] = [];
  // Stops in reverse order: daemons depend on those started before them.
  const close = async (): Promise<void> => {
    for (const daemon of daemons.toReversed()) await daemon.close();
  };
  try {
    for await (const daemon of bringUp(plan, options)) daemons.push(daemon);
    return { port: ports.gateway, died: Promise.race(daemons.map(({ died }) => died)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* bringUp(plan: ClusterPlan, options: ClusterOptions): AsyncGenerator<Daemon> {
  const { folder, ports } = plan;
  const conf = ['-c', 'ceph.conf'];
  const tool = (program: string, ...args: readonly string[]) => runTool(program, args, folder);
  await makeKeys(tool);
  await tool('monmaptool', '--create', '--fsid', plan.fsid, '--addv', 'a', monitorAddresses(plan), 'monmap');
  await tool('ceph-mon', ...conf, '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring');
  yield startDaemon('ceph-mon', [...conf, '-f', '-i', 'a'], folder);

  const osd = randomUUID();
  await tool('ceph', ...conf, 'osd', 'new', osd, '0');
  await tool('ceph-osd', ...conf, '-i', '0', '--mkfs', '--osd-uuid', osd);
  yield startDaemon('ceph-osd', [...conf, '-f', '-i', '0'], folder);

  const user = ['--uid=homeport', '--display-name=homeport'];
  const keys = [`--access-key=${options.accessKeyId}`, `--secret-key=${options.secretAccessKey}`];
  await tool('radosgw-admin', ...conf, '-n', 'client.rgw', 'user', 'create', ...user, ...keys);
  const gateway = startDaemon('radosgw', [...conf, '-f', '-n', 'client.rgw'], folder);
  yield gateway;
  await waitUntilAnswering(`http://127.0.0.1:${ports.gateway}/`, gateway);
}

async function makeKeys(tool: (program: string, ...args: readonly string[]) => Promise<string>): Promise<void> {
  const keys: readonly [string, readonly string[]][] = [
    ['mon.', ALLOW('mon')],
    ['client.admin', ALLOW('mon', 'osd', 'mgr')],
    ['client.rgw', ALLOW('mon', 'osd')],
    ['osd.0', ['--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *']],
  ];
  await tool('ceph-authtool', '--create-keyring', 'keyring');
  for (const [name, caps] of keys) await tool('ceph-authtool', 'keyring', '--gen-key', '-n', name, ...caps);
}

function waitUntilAnswering(url: string, { died }: Daemon): Promise<void> {
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  return waitUntilReady(answers, {
    tries: ANSWER_TRIES,
    pauseMilliseconds: ANSWER_PAUSE_MILLISECONDS,
    died,
    late: () => new SetupFailed('The Ceph gateway does not answer.'),
  });
}
