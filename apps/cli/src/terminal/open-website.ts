import open from 'open';
import { CliError } from '../cli.errors';

/**
 * Opens a page in the browser. Without a browser on this machine, does nothing: the address is printed anyway.
 * @throws {CliError} for any other address, which would start another program: a hostile server may name one.
 */
export async function openWebsite(address: string): Promise<void> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    const nextStep = 'Check the address of the server.';
    throw new CliError(`"${address}" is not the address of a website.`, 'failed', nextStep);
  }
  await open(new URL(address).href).catch(() => undefined);
}
