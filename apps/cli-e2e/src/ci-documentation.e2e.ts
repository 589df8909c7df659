import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { visit } from '@homeport/hosting/server/testing/visit';
import { Machine, settings, uniqueName, url } from './command-line';
import { type DocumentedPipelines, documentedPipelines, type GitLabJob } from './documented-pipelines';
import { offlineNpm, pack } from './npm-packages';
import { PipelineIssuer } from './pipeline-issuer';

interface App {
  readonly id: string;
  readonly subdomain: string;
  readonly url: string;
}

interface Deploy {
  readonly alias_url: string | null;
  readonly source: Readonly<Record<'branch' | 'commit' | 'message' | 'url', string | null>>;
}

const EXAMPLE_APP_ID = '0199f1c2-0000-7000-8000-000000000000';
const SITE = {
  'package.json': JSON.stringify({
    name: 'shop',
    version: '1.0.0',
    scripts: { build: 'mkdir -p dist && cp page.html dist/index.html' },
  }),
  'package-lock.json': JSON.stringify({
    name: 'shop',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': { name: 'shop', version: '1.0.0' } },
  }),
};

let ada: Machine;
let github: PipelineIssuer;
let gitlab: PipelineIssuer;
let app: App;
let documented: DocumentedPipelines;
/** A machine of the pipeline, with the repository of the site. */
let runner: Machine;
let commit: string;

beforeAll(async () => {
  ada = await Machine.of('ada');
  app = await ada.json<App>(['apps', 'register', uniqueName('Documented')]);
  [github, gitlab] = await Promise.all([
    PipelineIssuer.start({
      repository: 'acme/shop',
      ref: 'refs/heads/main',
      sub: 'repo:acme/shop:ref:refs/heads/main',
    }),
    PipelineIssuer.start({
      project_path: 'acme/shop',
      ref: 'main',
      ref_type: 'branch',
      sub: 'project_path:acme/shop:ref_type:branch:ref:main',
    }),
  ]);
  documented = await documentedPipelines({
    'https://homeport.example.com': url,
    [EXAMPLE_APP_ID]: app.id,
    'my-shop': app.subdomain,
    '--issuer github': `--issuer ${github.url}`,
    '--issuer gitlab': `--issuer ${gitlab.url}`,
  });
  for (const line of documented.trustCommands) {
    expect(await ada.run(line.split(' ').slice(1))).toMatchObject({ code: 0, stdout: expect.stringContaining(app.id) });
  }
});

afterAll(async () => {
  await ada?.run(['apps', 'delete', app.id, '--yes']);
  await Promise.all([ada?.remove(), github?.stop(), gitlab?.stop()]);
});

beforeEach(async () => {
  runner = await Machine.create();
});

/** Commits the site with a page of this text, and the tarball that the document asks for. */
async function checkOut(text: string): Promise<void> {
  const work = runner.path('work');
  await runner.write({ ...SITE, 'page.html': `<h1>${text}</h1>` });
  await pack('cli', work);
  const git = (...args: string[]) => execFileSync('git', ['-C', work, ...args], { encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', `Say ${text}`);
  commit = git('rev-parse', 'HEAD');
}

/** The variables of a job's shell before the pipeline adds its own. */
function shell(): Record<string, string> {
  const { PATH = '', HOME = '' } = runner.variables;
  const npm = offlineNpm(runner.root);
  return { PATH: `${npm['npm_config_prefix']}/bin:${PATH}`, HOME, CI: 'true', ...npm };
}

async function expectSuccess(script: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const finished = await runner.bash(script, variables);
  expect([script, finished]).toEqual([script, expect.objectContaining({ code: 0 })]);
}

/** A tag can have the name of the trusted branch. */
async function expectTagRejected(audience: string): Promise<void> {
  const idToken = await gitlab.idToken(audience, { ref_type: 'tag' });
  const login = ['login', '--pipeline', '--app', app.id];
  expect(await runner.run(login, '', { HOMEPORT_ID_TOKEN: idToken })).toMatchObject({ code: 3, stdout: '' });
}

async function page(address: string): Promise<string> {
  const { hostname } = new URL(address);
  const port = Number(settings['EDGE_PORT']);
  const { status, body } = await visit(port, { host: `${hostname}:${port}`, target: '/' });
  return `${status} ${String(body).trim()}`;
}

async function latestDeploy(): Promise<Deploy> {
  const [latest] = await ada.json<Deploy[]>(['deploys', 'list', '--app', app.subdomain]);
  return latest as Deploy;
}

describe('docs/ci.md', () => {
  it('deploys by its GitHub Actions workflow', async () => {
    try {
      await checkOut('Hello from GitHub');
      const { on, permissions, env, jobs } = documented.github;
      expect(on.push.branches).toEqual(['main']);
      const variables = {
        ...shell(),
        GITHUB_ACTIONS: 'true',
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_SHA: commit,
        GITHUB_REF_TYPE: 'branch',
        GITHUB_REF_NAME: 'main',
        // GitHub sets them only for jobs with this permission.
        ...(permissions['id-token'] === 'write' && github.variables),
        ...env,
      };
      const steps = Object.values(jobs).flatMap((job) => job.steps);
      expect(steps.flatMap(({ uses }) => uses ?? [])).toEqual(['actions/checkout@v5', 'actions/setup-node@v5']);
      for (const step of steps) {
        if (step.run !== undefined) await expectSuccess(step.run, { ...variables, ...step.env });
      }
      const { source, alias_url } = await latestDeploy();
      expect(source).toEqual({
        branch: 'main',
        commit,
        message: 'Say Hello from GitHub',
        url: `https://github.com/acme/shop/commit/${commit}`,
      });
      for (const address of [app.url, alias_url ?? ''])
        expect(await page(address)).toBe('200 <h1>Hello from GitHub</h1>');
    } finally {
      await runner.remove();
    }
  });

  it('deploys by its GitLab job', async () => {
    try {
      await checkOut('Hello from GitLab');
      const { id_tokens, variables, script } = Object.values(documented.gitlab)[0] as GitLabJob;
      await expectTagRejected(Object.values(id_tokens)[0]?.aud ?? '');
      const tokens = Object.entries(id_tokens).map(
        async ([name, { aud }]) => [name, await gitlab.idToken(aud)] as const,
      );
      await expectSuccess(script.join('\n'), {
        ...shell(),
        GITLAB_CI: 'true',
        CI_COMMIT_SHA: commit,
        CI_COMMIT_TITLE: 'Say Hello from GitLab',
        CI_COMMIT_BRANCH: 'main',
        CI_DEFAULT_BRANCH: 'main',
        CI_PROJECT_URL: 'https://gitlab.com/acme/shop',
        ...Object.fromEntries(await Promise.all(tokens)),
        ...variables,
      });
      const { source, alias_url } = await latestDeploy();
      expect(source).toEqual({
        branch: 'main',
        commit,
        message: 'Say Hello from GitLab',
        url: `https://gitlab.com/acme/shop/-/commit/${commit}`,
      });
      for (const address of [app.url, alias_url ?? ''])
        expect(await page(address)).toBe('200 <h1>Hello from GitLab</h1>');
    } finally {
      await runner.remove();
    }
  });
});
