import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, messageOf, SetupFailed } from '../dev-services/errors.ts';
import { root } from './commands.ts';
import { readSettings } from './settings.ts';
import { trustAdvice } from './trust-advice.ts';

/** Explains how to trust the certificates of this machine. It changes nothing. */
async function explainTrust(): Promise<void> {
  const { dataDir, platformDomain, tlsPort = 8443 } = readSettings(process.env, root);
  const file = join(dataDir, 'acme', 'root.pem');
  try {
    const { fingerprint256: fingerprint, serialNumber: serial } = new X509Certificate(await readFile(file));
    console.log(trustAdvice({ file, fingerprint, serial, address: `https://shop.${platformDomain}:${tlsPort}` }));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new SetupFailed(`There is no certificate authority in ${dataDir} yet. Run "npm start" once.`);
  }
}

explainTrust().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
