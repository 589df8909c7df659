import type { IncomingMessage, ServerResponse } from 'node:http';
import { DatabaseUnavailable, rawPathOf, rawQueryOf } from '@homeport/kernel';
import { type OutageLog } from '@homeport/platform/server/observability';
import { parseRequestPath, type SiteHostnames } from '@homeport/hosting/contracts';
import { LRUCache } from 'lru-cache';
import { CompiledRulesCache } from '../../application/compiled-rules-cache';
import { BlobMissing, type BlobCache } from '../../../static/application/blob-cache';
import type { SiteFileCache } from '../../application/site-file-cache';
import type { SiteCacheEntry, SiteCache } from '../../application/site-cache';
import type { Site } from '../../application/site-directory.port';
import {
  type DeployedSite,
  isDeployed,
  type Resolution,
  type SiteRequest,
  SiteResolver,
} from '../../application/site-resolver';
import { BlobCorrupt, isStorageFailure } from '@homeport/platform/server/blobs';
import type { LoadShedder, UpgradeRequest } from '@homeport/platform/server/node-http';
import { isHashedName, mayBeHashed } from '../../domain/hashed-name';
import { isNavigation } from '../../domain/navigation';
import { waitForAdmission } from './admission';
import { parseHost } from './edge-host';
import { effectiveTarget, isWithoutHost, limitBodyTime, preparedKeyOf } from './edge-request';
import type { EdgeLog } from './edge-log';
import { clearFormerSiteData, mayNeedClearing, sendCleanupWorker } from './former-site-data';
import { FileSender, sendBuffered } from '../../../static/adapters/http/file-sender';
import {
  renderErrorPage,
  BAD_REQUEST,
  INTERNAL_ERROR,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  nothingDeployed,
  OVERLOADED,
  type ErrorPage,
  UNAVAILABLE,
  UNKNOWN_HOST,
} from './error-pages';
import { asksForWebSocket } from '../../../runtime/adapters/http/forward-upgrade';
import { hasBody } from '../../../runtime/adapters/http/forward-request';
import { hasServer, isPathOfServers, type ForwardContext, type ServerForwarder } from './server-forwarder';
import { redirectToDomain, sendRedirect } from './redirect-response';
import { PreparedFile } from '../../../static/adapters/http/prepared-file';

/** Number of addresses with a prepared file. */
const MAX_PREPARED = 20_000;
/** Total characters of all prepared entries, header fields included: the rules of a site may add many. */
const MAX_PREPARED_CHARACTERS = 32 * 1024 * 1024;
/** Characters of an address. Longer addresses are looked up on each request. */
const MAX_PREPARED_KEY_LENGTH = 512;

export interface EdgeHandlerOptions {
  readonly hostnames: SiteHostnames;
  readonly sites: SiteCache;
  readonly files: SiteFileCache;
  readonly bodies: BlobCache;
  /** Handles hosts outside the platform domain. @returns whether it sent a response. */
  readonly onOtherHost: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly log: EdgeLog;
  /** Answers with the servers of SSR apps. */
  readonly servers: ServerForwarder;
  /** Refuses lookups in an overload. Files in memory are always served: a refusal would cost as much. */
  readonly shedder?: Pick<LoadShedder, 'admit'> | undefined;
  /** Logs when downloads are rejected because too many are active. */
  readonly streamOutages?: OutageLog | undefined;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A request to a site with an active deploy. */
interface Visit {
  readonly entry: SiteCacheEntry;
  readonly site: DeployedSite;
  readonly address: SiteRequest;
}

type FoundFile = Pick<Extract<Resolution, { kind: 'file' }>, 'file' | 'status' | 'isOwnAddress'>;

interface PreparedEntry {
  readonly entry: SiteCacheEntry;
  readonly file: PreparedFile;
}

/** Serves requests to deployed sites. */
export class EdgeHandler {
  readonly #prepared = new LRUCache<string, PreparedEntry>({
    max: MAX_PREPARED,
    maxSize: MAX_PREPARED_CHARACTERS,
    sizeCalculation: ({ file }, address) => address.length + file.headLength,
  });
  readonly #rules = new CompiledRulesCache((deployId, skippedRules) =>
    this.options.log.warn(
      undefined,
      `${skippedRules} rules of the deploy ${deployId} exceed the limits of this version and are not applied`,
    ),
  );
  readonly #resolver: SiteResolver;
  readonly #servers: ServerForwarder;
  readonly #sender: FileSender;

  constructor(private readonly options: EdgeHandlerOptions) {
    const { files, bodies, servers, streamOutages } = options;
    this.#servers = servers;
    this.#sender = new FileSender(bodies, streamOutages);
    this.#resolver = new SiteResolver({
      findFiles: (deployId, paths) => files.find(deployId, paths),
      findInEarlierDeploy: (site, path) => files.findInEarlierDeploy(site, path),
      redirectFor: ({ deploy }, { rawPath, rawQuery }) => this.#rules.get(deploy).redirectFor(rawPath, rawQuery),
      mayBeHashed,
    });
  }

  /** Never throws, and never rejects. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      this.#respond(request, response)?.catch((error: unknown) => this.#fail(error, request, response));
    } catch (error) {
      this.#fail(error, request, response);
    }
  };

  #respond(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const { method, url = '', headers } = request;
    if (method !== 'GET' && method !== 'HEAD') return this.#answerOtherMethod(request, response);
    if (hasBody(request)) limitBodyTime(request);
    const prepared = this.#prepared.get(preparedKeyOf(headers.host, url));
    if (prepared && this.options.sites.isFresh(prepared.entry) && !mayNeedClearing(prepared.entry, request)) {
      return this.#sender.send(prepared.file, request, response);
    }
    return this.#lookUp(request, response);
  }

  /** Only servers take other methods than GET and HEAD. */
  async #answerOtherMethod(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const site = await this.#siteOf(request);
    if (site?.domain?.redirectTo !== undefined) return redirectToDomain(site.domain.redirectTo, { request, response });
    const context = site && this.#forwardContext(site, request, false);
    if (context) return this.#servers.forward(context, request, response);
    limitBodyTime(request);
    const isValid = isPathOfServers(rawPathOf(effectiveTarget(request).target));
    this.#sendPage(isValid ? METHOD_NOT_ALLOWED : BAD_REQUEST, request, response);
  }

  /**
   * Connects a WebSocket to the server of a site.
   * @returns false when the request is not for one: then its `Upgrade` field is ignored.
   */
  readonly upgrade = async (exchange: UpgradeRequest): Promise<boolean> => {
    const { request } = exchange;
    if (!asksForWebSocket(request)) return false;
    const site = await this.#siteOf(request).catch(() => undefined);
    const context = site && !site.domain?.redirectTo ? this.#forwardContext(site, request, false) : undefined;
    if (context) await this.#servers.upgrade(context, exchange);
    return context !== undefined;
  };

  /** @throws {DatabaseUnavailable} */
  async #siteOf(request: IncomingMessage): Promise<Site | undefined> {
    const parsedHost = parseHost(effectiveTarget(request).host ?? '', this.options.hostnames);
    return parsedHost?.kind === 'site' ? (await this.options.sites.find(parsedHost.hostname)).site : undefined;
  }

  async #lookUp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host, target } = effectiveTarget(request);
    const parsedHost = host === undefined ? undefined : parseHost(host, this.options.hostnames);
    if (!parsedHost) {
      if (isWithoutHost(request) && this.options.onOtherHost(request, response)) return undefined;
      return this.#sendPage(BAD_REQUEST, request, response);
    }
    if (parsedHost.kind === 'instance' && this.options.onOtherHost(request, response)) return undefined;
    if (parsedHost.kind !== 'site') return this.#sendPage(UNKNOWN_HOST, request, response);
    const { shedder } = this.options;
    const isAdmitted = !shedder || (await waitForAdmission(shedder, request, response));
    if (!isAdmitted) return this.#sendPage(OVERLOADED, request, response);
    const entry = await this.#findEntry(parsedHost.hostname, { request, response });
    if (!entry) return undefined;
    const { site } = entry;
    if (site?.domain?.redirectTo !== undefined) return redirectToDomain(site.domain.redirectTo, { request, response });
    if (!site || !isDeployed(site)) {
      if (sendCleanupWorker(entry, { request, response }, false)) return undefined;
      clearFormerSiteData(entry, { request, response });
      return this.#sendPage(site ? nothingDeployed(site.name) : UNKNOWN_HOST, request, response);
    }
    const rawPath = rawPathOf(target);
    const parsed = parseRequestPath(rawPath);
    if (!parsed) return this.#sendPage(BAD_REQUEST, request, response);
    const address = { target: parsed, rawPath, rawQuery: rawQueryOf(target) ?? '' };
    await this.#resolve({ entry, site, address }, { request, response });
  }

  /** @returns undefined after a response, which operators get at hosts that serve no site. @throws {DatabaseUnavailable} */
  async #findEntry(hostname: string, { request, response }: Exchange): Promise<SiteCacheEntry | undefined> {
    const isOwnDomain = !this.options.hostnames.contains(hostname);
    try {
      const entry = await this.options.sites.find(hostname);
      return !entry.site && isOwnDomain && this.options.onOtherHost(request, response) ? undefined : entry;
    } catch (error) {
      if (isOwnDomain && this.options.onOtherHost(request, response)) return undefined;
      throw error;
    }
  }

  /** Resolves again when bytes are missing, because an earlier deploy may have been archived since the lookup. */
  async #resolve(visit: Visit, exchange: Exchange): Promise<void> {
    const { site, address } = visit;
    try {
      await this.#send(visit, await this.#resolver.resolve(site, address), exchange);
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      this.options.files.invalidate(site, error.file);
      await this.#send(visit, await this.#resolver.resolve(site, address), exchange);
    }
  }

  #send(visit: Visit, found: Resolution, exchange: Exchange): Promise<void> | undefined {
    const { request, response } = exchange;
    if (sendCleanupWorker(visit.entry, exchange, isScript(found))) return undefined;
    const isPersonal = clearFormerSiteData(visit.entry, exchange);
    if (found.kind === 'redirect') return sendRedirect(visit.site, { ...found, isPersonal }, exchange);
    const { rawPath, rawQuery } = visit.address;
    if (found.kind === 'server') {
      const context = this.#forwardContext(visit.site, request, isPersonal);
      return context
        ? this.#servers.forward(context, request, response)
        : this.#sendPage(BAD_REQUEST, request, response);
    }
    const wantsHtml = isNavigation(request.headers, rawPath);
    if (found.kind === 'nothing') {
      if (!found.page || !wantsHtml) return this.#sendPage(NOT_FOUND, request, response);
      const page = { file: found.page, status: 200, isOwnAddress: false } as const;
      return this.#sender.send(this.#prepare(visit, page, { variesByNavigation: true, isPersonal }), request, response);
    }
    if (found.folder === undefined) {
      const file = this.#prepare(visit, found, { variesByNavigation: false, isPersonal });
      if (found.isForAnyQuery && !isPersonal) this.#cache(visit.entry, file, request);
      return this.#sender.send(file, request, response);
    }
    if (!wantsHtml) {
      return this.#sender.send(
        this.#prepare(visit, found, { variesByNavigation: true, isPersonal }),
        request,
        response,
      );
    }
    const location = rawQuery === '' ? found.folder : `${found.folder}?${rawQuery}`;
    return sendRedirect(visit.site, { status: 308, location, variesByNavigation: true, isPersonal }, exchange);
  }

  /** @returns undefined when no server answers the site and path of the request. */
  #forwardContext(site: Site, request: IncomingMessage, isPersonal: boolean): ForwardContext | undefined {
    const { host = '', target } = effectiveTarget(request);
    const rawPath = rawPathOf(target);
    if (!isDeployed(site) || !hasServer(site) || !isPathOfServers(rawPath)) return undefined;
    return { site, host, target, rules: this.#rules.get(site.deploy).headersFor(rawPath), isPersonal };
  }

  #prepare(
    { site, address }: Visit,
    found: FoundFile,
    audience: { readonly variesByNavigation: boolean; readonly isPersonal: boolean },
  ): PreparedFile {
    return new PreparedFile({
      appId: site.appId,
      file: found.file,
      status: found.status,
      isImmutable: found.isOwnAddress && isHashedName(found.file.path),
      isPreview: site.kind === 'preview',
      ...audience,
      fields: this.#rules.get(site.deploy).headersFor(address.rawPath),
    });
  }

  /** Caches only the canonical spelling of the host: other spellings are rare. */
  #cache(entry: SiteCacheEntry, file: PreparedFile, { headers, url = '', socket }: IncomingMessage): void {
    const address = preparedKeyOf(headers.host, url);
    const isCanonical = headers.host === entry.hostname || headers.host === `${entry.hostname}:${socket.localPort}`;
    if (isCanonical && address.length <= MAX_PREPARED_KEY_LENGTH && url.startsWith('/'))
      this.#prepared.set(address, { entry, file });
  }

  #sendPage(page: ErrorPage, request: IncomingMessage, response: ServerResponse): undefined {
    const wantsHtml = isNavigation(request.headers, rawPathOf(request.url ?? ''));
    sendBuffered(request, response, renderErrorPage(page, wantsHtml));
    return undefined;
  }

  #fail(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    const isUnavailable = error instanceof DatabaseUnavailable || isStorageFailure(error);
    // Dependencies log their own outages. Missing or corrupt bytes are data faults, not outages.
    const isDataFault = error instanceof BlobMissing || error instanceof BlobCorrupt;
    if (!isUnavailable || isDataFault) this.options.log.error(error, 'a request failed');
    if (response.headersSent) response.destroy();
    else this.#sendPage(isUnavailable ? UNAVAILABLE : INTERNAL_ERROR, request, response);
  }
}

function isScript(found: Resolution): boolean {
  const isOwnFile = found.kind === 'file' && found.status === 200 && found.isOwnAddress;
  return isOwnFile && /^(?:text|application)\/javascript\b/.test(found.file.contentType);
}
