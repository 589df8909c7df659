import type { FileEntry } from '@homeport/files/contracts';
import type { Actor } from '@homeport/identity/contracts';
import { abortSignalFor } from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Workspace } from '../../application/workspace';
import { sendFile, sendListing, sendWritten } from './file-responses';
import {
  parseRequestConditions,
  parseDownloadFlag,
  fileNameIn,
  parseListRequest,
  rawFilePath,
  parseReadRequest,
  parseWriteRequest,
} from './file-requests';

/** One HTTP exchange and its authenticated user. */
export interface HttpExchange {
  readonly actor: Actor;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Parses file requests, calls the workspace and sends the responses. */
export class FileRequestHandler {
  constructor(private readonly workspace: Workspace) {}

  async list({ actor, request, reply }: HttpExchange): Promise<void> {
    const listing = parseListRequest(request);
    const found =
      listing.sort === 'key'
        ? await this.workspace.list(actor, listing)
        : await this.workspace.newest(actor, listing.prefix, listing.limit);
    await sendListing(request, reply, found);
  }

  async read({ actor, request, reply }: HttpExchange): Promise<void> {
    const rawPath = rawFilePath(request);
    const forceDownload = parseDownloadFlag(request);
    const readRequest = parseReadRequest(request);
    const found =
      request.method === 'HEAD'
        ? await this.workspace.describe(actor, rawPath, readRequest)
        : await this.workspace.read(actor, rawPath, readRequest, abortSignalFor(reply));
    await sendFile(reply, found, { name: fileNameIn(rawPath), forceDownload });
  }

  async write({ actor, request, reply }: HttpExchange): Promise<FileEntry> {
    const written = await this.workspace.write(actor, rawFilePath(request), parseWriteRequest(request, reply));
    return sendWritten(reply, written);
  }

  async delete({ actor, request }: HttpExchange): Promise<void> {
    await this.workspace.delete(actor, rawFilePath(request), parseRequestConditions(request));
  }
}
