import { randomUUID } from 'node:crypto';
import { NO_RULES, previewLabel } from '@homeport/hosting/contracts';
import { SITE_HOSTNAMES, siteDirectoryContract } from '../../../testing/site-directory.contract';
import type { Site } from '../../application/site-directory.port';
import { siteFile } from '../../../testing/site-file';
import { InMemorySiteDirectory } from './in-memory-site-directory';

const directory = new InMemorySiteDirectory();
const apps = new Map<string, { hostname: string; name: string }>();
const previewHost = (deployId: string): string => SITE_HOSTNAMES.hostnameOf(previewLabel(deployId));
let releases = 0;

siteDirectoryContract(InMemorySiteDirectory.name, () => ({
  directory,
  app: async (subdomain, name) => {
    const appId = randomUUID();
    const hostname = SITE_HOSTNAMES.hostnameOf(subdomain);
    apps.set(appId, { hostname, name });
    directory.sites.set(hostname, { kind: 'app', appId, name, deploy: undefined, lastRelease: undefined });
    return appId;
  },
  deploy: async (appId, { paths, status = 'ready', rules = NO_RULES }) => {
    const id = randomUUID();
    const files = await Promise.all(paths.map((path) => siteFile({ deployId: id, path }, path)));
    if (status !== 'ready') return id;
    const name = apps.get(appId)?.name ?? '';
    directory.deploys.set(id, { appId, files });
    const deploy = { id, rules };
    directory.sites.set(previewHost(id), { kind: 'preview', appId, name, deploy, lastRelease: undefined });
    return id;
  },
  activate: async (appId, deployId) => {
    const { hostname, name } = apps.get(appId) as { hostname: string; name: string };
    const preview = directory.sites.get(previewHost(deployId));
    const deploy = preview?.kind === 'preview' ? preview.deploy : undefined;
    directory.released.add(deployId);
    directory.sites.set(hostname, { kind: 'app', appId, name, deploy, lastRelease: String((releases += 1)) });
  },
  alias: async (label, _appId, deployId) => {
    directory.sites.set(SITE_HOSTNAMES.hostnameOf(label), directory.sites.get(previewHost(deployId)) as Site);
  },
  removeDeploy: async (appId, deployId) => {
    const { hostname } = apps.get(appId) as { hostname: string };
    directory.deploys.delete(deployId);
    for (const [host, shown] of directory.sites) {
      if (shown.kind === 'preview' && shown.deploy?.id === deployId) directory.sites.delete(host);
    }
    const site = directory.sites.get(hostname);
    if (site?.kind === 'app') directory.sites.set(hostname, { ...site, lastRelease: String((releases += 1)) });
  },
  clearDataUntil: async (appId, clearsDataUntil) => {
    const { hostname } = apps.get(appId) as { hostname: string };
    const site = directory.sites.get(hostname);
    if (site?.kind === 'app') directory.sites.set(hostname, { ...site, clearsDataUntil });
  },
  removeApp: async (appId) => {
    directory.sites.set((apps.get(appId) as { hostname: string }).hostname, { kind: 'released' });
  },
}));
