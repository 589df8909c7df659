import { randomUUID } from 'node:crypto';
import { previewLabel } from '../../domain/sites/preview-label';
import { NO_RULES } from '../../domain/sites/site-rules';
import { siteDirectoryContract } from '../../testing/site-directory.contract';
import { siteFile } from '../../testing/sites/site-file';
import { InMemorySiteDirectory } from './in-memory-site-directory';

const directory = new InMemorySiteDirectory();
const apps = new Map<string, { label: string; name: string }>();
let releases = 0;

siteDirectoryContract(InMemorySiteDirectory.name, () => ({
  directory,
  app: async (label, name) => {
    const appId = randomUUID();
    apps.set(appId, { label, name });
    directory.sites.set(label, { kind: 'app', appId, name, deploy: undefined, lastRelease: undefined });
    return appId;
  },
  deploy: async (appId, { paths, status = 'ready', rules = NO_RULES }) => {
    const id = randomUUID();
    const files = await Promise.all(paths.map((path) => siteFile({ deployId: id, path }, path)));
    if (status !== 'ready') return id;
    const name = apps.get(appId)?.name ?? '';
    directory.deploys.set(id, { appId, files });
    const deploy = { id, rules };
    directory.sites.set(previewLabel(id), { kind: 'preview', appId, name, deploy, lastRelease: undefined });
    return id;
  },
  activate: async (appId, deployId) => {
    const { label, name } = apps.get(appId) as { label: string; name: string };
    const preview = directory.sites.get(previewLabel(deployId));
    const deploy = preview?.kind === 'preview' ? preview.deploy : undefined;
    directory.released.add(deployId);
    directory.sites.set(label, { kind: 'app', appId, name, deploy, lastRelease: String((releases += 1)) });
  },
  removeDeploy: async (appId, deployId) => {
    const { label } = apps.get(appId) as { label: string };
    directory.deploys.delete(deployId);
    directory.sites.delete(previewLabel(deployId));
    const site = directory.sites.get(label);
    if (site?.kind === 'app') directory.sites.set(label, { ...site, lastRelease: String((releases += 1)) });
  },
  clearDataUntil: async (appId, clearsDataUntil) => {
    const { label } = apps.get(appId) as { label: string };
    const site = directory.sites.get(label);
    if (site?.kind === 'app') directory.sites.set(label, { ...site, clearsDataUntil });
  },
  removeApp: async (appId) => {
    directory.sites.set((apps.get(appId) as { label: string }).label, { kind: 'released' });
  },
}));
