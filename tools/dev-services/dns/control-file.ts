import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findPrivateJson, writePrivateJson } from '../private-file.ts';
import type { DnsControl } from './own-records.ts';

const shape = z.object({ EMBEDDED_DNS_URL: z.string(), EMBEDDED_DNS_TOKEN: z.string() });
const fileIn = (dataDir: string): string => join(dataDir, 'dns', 'control.json');

/** Tells other programs of this user how to control the DNS server of a data folder. */
export function publishControl(dataDir: string, control: Required<DnsControl>): Promise<void> {
  return writePrivateJson(fileIn(dataDir), control);
}

export function withdrawControl(dataDir: string): Promise<void> {
  return rm(fileIn(dataDir), { force: true });
}

/** @returns undefined without a DNS server on the data folder. */
export function findControl(dataDir: string): Promise<Required<DnsControl> | undefined> {
  return findPrivateJson(fileIn(dataDir), shape);
}
