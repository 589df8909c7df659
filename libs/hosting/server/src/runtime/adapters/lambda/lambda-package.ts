import { createCipheriv, randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import yazl from 'yazl';
import type { BundleFolders } from '../../application/instance-launcher';
import type { RuntimeDirectory, ServerRecord } from '../../application/runtime-directory.port';
import { RuntimeFailed } from '../../application/runtime.errors';
import type { SandboxSpec } from '../../application/sandbox.port';
import type { Revision } from '../../domain/revision';
import type { RuntimeLimits } from '../../domain/runtime-limits';
import { guestEnvironment, nodeArguments } from '../../sandbox/guest-command';
import { GUEST_FOLDER, GUEST_PACKAGES, packageFolder } from '../../sandbox/guest-files';

/** Limits of AWS Lambda for a package in a request, and for its files. */
const MAX_ZIP_BYTES = 50 * 1024 ** 2;
const MAX_UNPACKED_BYTES = 250 * 1024 ** 2;
/** The user of a function must be able to read its files. */
const ENTRY = { mode: 0o100644 };
const LINK = { mode: 0o120777 };
/** The only folder that a function can write to is `/tmp`. */
const CACHE_FOLDER = '/tmp/homeport-cache';
/** Where a function sees its package. */
const PATHS = { app: '/var/task/app', guest: '/var/task/homeport' };
const GUEST_MODULES = ['lambda.mjs', 'guest.mjs', 'handler.mjs'];

export interface LambdaPackagesOptions {
  readonly directory: Pick<RuntimeDirectory, 'environmentOf'>;
  readonly bundles: BundleFolders;
  readonly limits: RuntimeLimits;
}

/** Builds the packages of functions: the files of a deploy, the guest, and the variables of the app, sealed. */
export class LambdaPackages {
  constructor(private readonly options: LambdaPackagesOptions) {}

  /**
   * @param key seals the variables: a package alone does not show them. 32 bytes.
   * @returns a zip archive. @throws {RuntimeFailed} when the deploy is too large for a function.
   */
  async create({ deployId, scope }: Revision, { appId, plan }: ServerRecord, key: Buffer): Promise<Buffer> {
    const { directory, bundles, limits } = this.options;
    const [folder, environment] = await Promise.all([bundles.prepare(deployId), directory.environmentOf(appId, scope)]);
    const spec: Pick<SandboxSpec, 'plan' | 'environment' | 'limits'> = { plan, environment, limits };
    const { startMs, logLineBytes: lineBytes } = limits;
    const cache = plan.cacheFolder === undefined ? {} : { cache: CACHE_FOLDER };
    const settings = { args: nodeArguments(spec, PATHS), startMs, lineBytes, ...cache };
    const variables = guestEnvironment(spec, { port: 3_000, temporaryFolder: '/tmp' });
    const zip = new yazl.ZipFile();
    const bytes = await addFolder(zip, folder, 'app', plan.cacheFolder);
    if (plan.cacheFolder !== undefined) zip.addBuffer(Buffer.from(CACHE_FOLDER), `app/${plan.cacheFolder}`, LINK);
    if (bytes > MAX_UNPACKED_BYTES) throw tooLarge(bytes, MAX_UNPACKED_BYTES, 'unpacked');
    for (const name of GUEST_MODULES) zip.addFile(join(GUEST_FOLDER, name), `homeport/${name}`, ENTRY);
    const packages = plan.kind === 'handler' ? GUEST_PACKAGES : [];
    for (const name of packages) await addFolder(zip, packageFolder(name), `homeport/node_modules/${name}`);
    zip.addBuffer(Buffer.from(JSON.stringify(settings)), 'homeport/settings.json', ENTRY);
    zip.addBuffer(seal(JSON.stringify(variables), key), 'homeport/environment.sealed', ENTRY);
    zip.end();
    const archive = await buffer(zip.outputStream as Readable);
    if (archive.length > MAX_ZIP_BYTES) throw tooLarge(archive.length, MAX_ZIP_BYTES, 'packed');
    return archive;
  }
}

/** @param leftOut a folder in it. @returns the size of the files. */
async function addFolder(zip: yazl.ZipFile, folder: string, name: string, leftOut?: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const inFolder = relative(folder, path);
    if (leftOut !== undefined && inFolder.startsWith(`${leftOut}/`)) continue;
    bytes += (await stat(path)).size;
    zip.addFile(path, `${name}/${inFolder}`, ENTRY);
  }
  return bytes;
}

/** AES-256-GCM: 12 bytes of nonce, 16 of the tag, then the text. */
function seal(text: string, key: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function tooLarge(bytes: number, limit: number, form: 'packed' | 'unpacked'): RuntimeFailed {
  const mib = (size: number) => Math.ceil(size / 1024 ** 2);
  return new RuntimeFailed(
    'start-failed',
    `The deploy takes ${mib(bytes)} MiB ${form}, and AWS Lambda allows ${mib(limit)} MiB. Run "npm prune --omit=dev" before you deploy, or bundle the server.`,
  );
}
