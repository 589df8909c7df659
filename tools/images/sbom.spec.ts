import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';

const ROOT = resolve(import.meta.dirname, '../..');

interface Sbom {
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string; readonly type: string } };
  readonly components: readonly { readonly name: string; readonly version: string; readonly hashes?: unknown[] }[];
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

describe('npm run sbom', () => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const sbom = JSON.parse(text) as Sbom;
  const validator = new Validation.JsonValidator(Spec.Version.v1dot5);

  it('prints what the schema of CycloneDX allows', async () => {
    expect(sbom.specVersion).toBe('1.5');
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(text.replace('"CycloneDX"', '"cyclone"'))).not.toBeNull();
  });

  it('lists exactly the production packages of the lock file, with hashes', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
    const production = Object.entries(packages).filter(([path, { dev }]) => path.startsWith('node_modules/') && !dev);
    const expected = production.map(([path, { version }]) => `${path.replace(/.*node_modules\//, '')}@${version}`);
    const listed = sbom.components.map(({ name, version }) => `${name}@${version}`);
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(expected)].toSorted());
    expect(sbom.components.filter(({ hashes }) => !hashes)).toEqual([]);
    expect(sbom.metadata.component).toMatchObject({ name: 'homeport', type: 'application' });
  });
});
