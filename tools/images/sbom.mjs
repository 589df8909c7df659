// Prints the packages of the images as CycloneDX, from the lock file. Run by `npm run sbom` and by the Dockerfile.
//
// `npm sbom --omit=dev` leaves out packages that a development package needs as well, such as pg. So npm gets the lock
// file without development packages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const COMMAND = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
delete manifest.devDependencies;
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
delete lock.packages[''].devDependencies;
lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => !dev));

const temporary = mkdtempSync(join(tmpdir(), 'homeport-sbom-'));
// npm names the document after the folder.
const folder = join(temporary, manifest.name);
try {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  process.exitCode = spawnSync('npm', COMMAND, { cwd: folder, stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(temporary, { recursive: true });
}
