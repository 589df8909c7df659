import { messageOf, SetupFailed } from '../dev-services/errors.ts';
import { findControl } from '../dev-services/dns/control-file.ts';
import { setOwnRecord } from '../dev-services/dns/own-records.ts';
import { root } from './commands.ts';
import { findRun } from './run-lock.ts';
import { readSettings } from './settings.ts';

const USAGE = `Usage: npm run -s dns-record -- <name> <type> [<value>...]
Sets the records of a type at a name of an own domain, as at a DNS provider. Without a value, removes them.
Example: npm run -s dns-record -- www.acme.test CNAME edge.localhost`;

/** Sets a record of an own domain in the embedded DNS server. */
async function setRecord([name, type, ...values]: readonly string[]): Promise<void> {
  if (name === undefined || type === undefined || values.includes('')) throw new SetupFailed(USAGE);
  const { dataDir } = readSettings(process.env, root);
  const control = findRun(dataDir) ? await findControl(dataDir) : undefined;
  if (!control) {
    throw new SetupFailed(`Homeport does not run with its DNS server on ${dataDir}. Run "npm start" first.`);
  }
  await setOwnRecord(control, name, type.toUpperCase(), values);
  console.log(values.length > 0 ? `${name} ${type.toUpperCase()} ${values.join(', ')}` : `${name}: removed`);
}

setRecord(process.argv.slice(2)).catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
