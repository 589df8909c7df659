import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DockerfileParser, type Instruction, ModifiableInstruction } from 'dockerfile-ast';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PROGRAMS = ['api', 'edge', 'runtime'];
/** Which instructions of an earlier stage a later one replaces. */
const SINGLE = ['CMD', 'ENTRYPOINT', 'HEALTHCHECK', 'USER', 'WORKDIR', 'STOPSIGNAL'];

interface Stage {
  readonly base: string;
  readonly own: readonly Instruction[];
}

const stages = new Map<string, Stage>();
for (const instruction of DockerfileParser.parse(textOf('Dockerfile')).getInstructions()) {
  if (instruction.getKeyword() === 'FROM') {
    const [base = '', , name = ''] = instruction.getArguments().map(String);
    stages.set(name, { base, own: [] });
  } else {
    const [name = '', stage] = [...stages].at(-1) ?? [];
    stages.set(name, { base: stage?.base ?? '', own: [...(stage?.own ?? []), instruction] });
  }
}

/** The instructions of a stage and of its bases in this file, first to last. */
function instructionsOf(name: string): readonly Instruction[] {
  const stage = stages.get(name);
  return stage ? [...instructionsOf(stage.base), ...stage.own] : [];
}
const flagsOf = (instruction: Instruction) =>
  instruction instanceof ModifiableInstruction ? instruction.getFlags().map(String) : [];
const argumentsOf = (name: string, keyword: string) =>
  instructionsOf(name)
    .filter((each) => each.getKeyword() === keyword)
    .map((each) => [...flagsOf(each), each.getArgumentsContent() ?? ''].join(' '))
    .slice(SINGLE.includes(keyword) ? -1 : 0);

describe('the Dockerfile', () => {
  it('has a stage for each program, and builds the API without a target', () => {
    expect([...stages.keys()]).toEqual(expect.arrayContaining(PROGRAMS));
    expect([...stages.keys()].at(-1)).toBe('api');
  });

  it('names the versions of its base images', () => {
    const bases = [...stages.values()].map(({ base }) => base).filter((base) => !stages.has(base));
    expect([...new Set(bases)]).toEqual(['node:24-bookworm-slim']);
  });

  it('copies files that exist', () => {
    const ignored = textOf('.dockerignore').split('\n');
    const copied = [...stages.keys()].flatMap((name) => argumentsOf(name, 'COPY'));
    for (const copy of copied.filter((each) => !each.startsWith('--from='))) {
      const sources = copy.split(' ').slice(0, -1);
      for (const source of sources) expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
      expect(sources.filter((source) => ignored.includes(source))).toEqual([]);
    }
    const folders = copied.flatMap((each) => /^--from=(\S+)/.exec(each)?.[1] ?? []);
    expect(folders.filter((from) => !stages.has(from))).toEqual([]);
  });

  it.each(PROGRAMS)('runs the built program of %s, with production packages only', (name) => {
    const command = JSON.parse(argumentsOf(name, 'CMD')[0] ?? '') as string[];
    expect(command).toEqual(['node', `dist/api/apps/${name}/src/main.js`]);
    expect(existsSync(join(ROOT, `apps/${name}/src/main.ts`))).toBe(true);
    const packages = argumentsOf(name, 'COPY').filter((each) => each.includes('node_modules'));
    expect(packages).toEqual(['--from=production-packages /app/node_modules ./node_modules']);
    expect(argumentsOf('production-packages', 'RUN').join()).toContain('npm ci --omit=dev --ignore-scripts');
  });

  it.each(PROGRAMS)('lists the packages of %s, and labels the image', (name) => {
    expect(argumentsOf(name, 'COPY')).toContain('--from=production-packages /app/sbom.cdx.json ./');
    expect(argumentsOf(name, 'LABEL').join()).toContain('org.opencontainers.image.licenses="Apache-2.0"');
  });

  it('runs as an ordinary user, except for the runtime', () => {
    const users = PROGRAMS.map((name) => [name, argumentsOf(name, 'USER')[0]]);
    // Decision 0082: a container with four capabilities.
    expect(users).toEqual([
      ['api', 'node'],
      ['edge', 'node'],
      ['runtime', '0:1000'],
    ]);
  });

  it.each(PROGRAMS)('checks the health of %s with a program of the image', (name) => {
    const [check = ''] = argumentsOf(name, 'HEALTHCHECK');
    expect(check).toContain('CMD ["node", "-e"');
    expect(check).toContain('/health/live');
  });

  it.each([
    ['api', ['3000', '9090']],
    ['edge', ['8080', '8443', '9091']],
    ['runtime', ['9092']],
  ])('exposes the ports of %s that docker-compose.yml and the chart use', (name, ports) => {
    expect(argumentsOf(name, 'EXPOSE').flatMap((each) => each.split(' '))).toEqual(ports);
    const { services } = parse(textOf('docker-compose.yml')) as { services: Record<string, ComposeService> };
    expect(ports).toContain(services[name]?.environment['MANAGEMENT_PORT']);
    for (const port of services[name]?.ports ?? []) expect(port).not.toMatch(/:909\d/);
  });

  it('sends no secrets, builds and packages to the builder', () => {
    const ignored = textOf('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.env', '.env.*', '.git', 'node_modules', 'dist', '.data']));
  });
});

describe('docker-compose.yml', () => {
  const { services } = parse(textOf('docker-compose.yml')) as { services: Record<string, ComposeService> };

  it.each(PROGRAMS)('denies %s what it does not need', (name) => {
    const service = services[name];
    expect([service?.read_only, service?.cap_drop]).toEqual([true, ['ALL']]);
    expect(service?.security_opt).toContain('no-new-privileges:true');
    expect(service?.build?.target).toBe(name);
  });

  it('publishes ports on loopback only, and none of the management ports', () => {
    const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(ports.toSorted()).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:8080:8080', '127.0.0.1:8081:8081']);
  });
});

interface ComposeService {
  readonly build?: { readonly target: string };
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}
