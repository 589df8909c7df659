import { join } from 'node:path';
import { messageOf } from '../dev-services/errors.ts';
import { startHomeport } from '../dev-services/homeport.ts';
import { startupBanner } from './startup-banner.ts';
import { build } from './build.ts';
import { root } from './commands.ts';
import { availableManagementPorts, availableTlsPort, checkDataFolder, checkPorts } from './preflight.ts';
import { secondsSince, step } from './progress.ts';
import { acquireRunLock } from './run-lock.ts';
import { serviceLogWriter } from './service-logs.ts';
import { readSettings } from './settings.ts';
import { aborted, stopRequest } from './stop-request.ts';

async function start(stop: AbortSignal): Promise<void> {
  const started = Date.now();
  const settings = readSettings(process.env, root);
  const { dataDir, publicUrl, platformDomain, edgePort, env } = settings;
  await checkDataFolder(dataDir);
  const release = await acquireRunLock(dataDir, publicUrl);
  try {
    await checkPorts(settings);
    const logs = join(dataDir, 'logs');
    const built = step('Client and API built', () => build(env, stop));
    const onRestart = ({ message }: Error) => console.warn(`\n${message.split(':\n', 1)[0]}, restarted. See ${logs}.`);
    const tlsPort = await availableTlsPort(settings);
    const managementPorts = await availableManagementPorts(settings);
    const starting = startHomeport({
      ...settings,
      tlsPort,
      managementPorts,
      built,
      onLog: serviceLogWriter(logs),
      onRestart,
    });
    await Promise.allSettled([built]);
    const homeport = await step('Product started', () => starting);
    const { dnsPort, people } = homeport.services;
    if (!stop.aborted) {
      const ports = { edgePort, tlsPort: homeport.tlsPort, dnsPort, managementPorts };
      console.log(startupBanner({ url: publicUrl, platformDomain, ...ports, people, logs }));
      if (homeport.runtimeFailure) console.warn(`\nSSR apps do not run on this machine: ${homeport.runtimeFailure}\n`);
      console.log(`Started in ${secondsSince(started)}.`);
    }
    const died = await Promise.race([homeport.died, aborted(stop)]);
    console.log('\nStopping …');
    await homeport.close();
    if (died) throw died;
  } finally {
    await release();
  }
}

const stop = stopRequest();
start(stop).then(
  () => process.exit(0),
  (error: unknown) => {
    // After a stop request during the start, failures are a consequence of the stop.
    if (stop.aborted) process.exit(0);
    console.error(`\n${messageOf(error)}`);
    process.exit(1);
  },
);
