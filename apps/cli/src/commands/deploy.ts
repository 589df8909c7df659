import { relative, resolve } from 'node:path';
import { type App, type Homeport, operations, type UploadedDeploy } from '@homeport/api-client';
import { CliError, UsageError } from '../cli.errors';
import type { Context } from '../context';
import { type DeploySource, sourceOf } from '../deploys/deploy-source';
import { siteFiles } from '../deploys/site-files';
import { uploadByDigest } from '../deploys/upload-by-digest';
import { waitUntilReady } from '../deploys/wait-until-ready';
import { findAppOfProject } from '../find-app';
import { readProject } from '../project-file';
import { failureLines } from '../terminal/failure-lines';
import { bytes, count } from '../terminal/format';
import { confirm } from '../terminal/question';
import { withAppOption } from './app-argument';
import { defineCommand } from './command';

interface DeployOptions extends DeploySource {
  readonly directory?: string | undefined;
  readonly app?: string | undefined;
  readonly preview: boolean;
  readonly force: boolean;
  readonly wait: boolean;
}

export const deployCommand = defineCommand<DeployOptions>({
  name: 'deploy [directory]',
  summary: 'Deploy a folder to an app',
  options: (yargs) =>
    withAppOption(yargs)
      .positional('directory', {
        type: 'string',
        describe: 'Folder with the built site; default: that of homeport.json, or .',
      })
      .option('preview', { type: 'boolean', default: false, describe: 'Do not go live: only the preview address' })
      .option('force', { type: 'boolean', default: false, describe: 'Go live even if the site then has no start page' })
      .option('wait', { type: 'boolean', default: false, describe: 'Wait until the deploy is processed' })
      .option('branch', {
        type: 'string',
        requiresArg: true,
        describe: 'Branch of the source; default: that of the pipeline or of git',
      })
      .option('commit', {
        type: 'string',
        requiresArg: true,
        describe: 'Commit of the source; default: that of the pipeline or of git',
      })
      .option('message', {
        type: 'string',
        requiresArg: true,
        describe: 'What changed; default: the subject of the commit',
      })
      .example('homeport deploy dist --app my-shop', 'Go live')
      .example('homeport deploy dist --app my-shop --preview --branch next', 'Move the address of a branch')
      .check(({ preview, force }) => {
        if (preview && force) throw new UsageError('--preview and --force exclude each other.');
        return true;
      }),
  run: async (context, options) => {
    const homeport = await context.server();
    const app = await findAppOfProject(homeport, context.cwd, options.app);
    const uploaded = await upload(context, homeport, app, options);
    const activated = uploaded.activation.activated || (await activateAnyway(context, homeport, uploaded));
    const waited = options.wait ? await waitUntilReady(homeport, uploaded.id, context.signal) : undefined;
    const deploy = { ...uploaded, ...waited };
    if (deploy.status === 'failed')
      throw new CliError([`Deploy #${deploy.number} failed.`, ...failureLines(deploy)].join('\n'), 'rejected');
    const address = activated ? app.url : deploy.url;
    context.terminal.result({ ...deploy, address }, () => [
      `Deploy #${deploy.number} of ${app.name} is ${activated ? 'live' : deploy.status}: ${address}`,
      ...(deploy.alias_url === null ? [] : [`Branch ${deploy.source?.branch}: ${deploy.alias_url}`]),
      ...(deploy.problem_count > 0
        ? [`${count(deploy.problem_count, 'problem')}: homeport deploys show ${deploy.id}`]
        : []),
    ]);
  },
});

async function upload(context: Context, homeport: Homeport, app: App, options: DeployOptions): Promise<UploadedDeploy> {
  const { terminal, cwd, signal, environment } = context;
  const folder = resolve(cwd, options.directory ?? (await readProject(cwd)).directory ?? '.');
  const files = await siteFiles(folder, app.type);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  terminal.note(
    `Deploying ${count(files.length, 'file')} (${bytes(total)}) of ${relative(cwd, folder) || '.'} to ${app.name}`,
  );
  const { branch, commit, message } = options;
  const source = await sourceOf(folder, { branch, commit, message }, environment.variables);
  const activate = options.preview ? 'false' : options.force ? 'force' : 'true';
  const onProgress = (sent: number, missing?: number) =>
    terminal.progress(`Sent ${bytes(sent)}${missing === undefined ? '' : ` of ${bytes(missing)}`}`);
  const onUploaded = () => app.type === 'ssr' && terminal.note('Status: starting. The server has to answer once.');
  return uploadByDigest(homeport, { appId: app.id, folder, files, source, activate, onProgress, onUploaded, signal });
}

/** Asks before a deploy without a start page replaces a working site. @throws {CliError} when it stays a preview. */
async function activateAnyway(
  { terminal }: Context,
  { client }: Homeport,
  { id, number, url, activation }: UploadedDeploy,
): Promise<boolean> {
  if (activation.reason !== 'no-start-page') return false;
  const problem = `Deploy #${number} has no start page and would replace a working site. Its preview: ${url}`;
  if (!terminal.isInteractive) throw new CliError(problem, 'conflict', 'Repeat the command with --force to go live.');
  terminal.note(problem);
  if (!(await confirm(terminal, 'Go live anyway?', '--force'))) return false;
  await operations.activateDeploy({ client, path: { id } });
  return true;
}
