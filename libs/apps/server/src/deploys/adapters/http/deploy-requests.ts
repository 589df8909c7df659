import { Readable } from 'node:stream';
import { sendContinue } from '@homeport/platform/server/node-http';
import { InvalidRequest, UnsupportedMediaType } from '@homeport/kernel';
import { abortSignalFor } from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ArchiveFormat } from '../../application/archive-reader.port';
import type { ArchiveUpload } from '../../application/deploy-ingestion';
import type { IncomingBody } from '../../application/incoming-body';
import type { ManifestUpload } from '../../application/start-deploy-by-digest';
import type { ActivationPolicy } from '../../domain/activation';
import { parseDeploySource, type SourceParameters } from '../../domain/deploy-source';

/** Archive formats by the media types that clients send. */
const FORMATS: Readonly<Record<string, ArchiveFormat>> = {
  'application/gzip': 'tar.gz',
  'application/x-gzip': 'tar.gz',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
};

/** @throws {InvalidRequest} @throws {UnsupportedMediaType} */
export function parseArchiveUpload(request: FastifyRequest, reply: FastifyReply): ArchiveUpload {
  const { headers } = request;
  const [essence = ''] = (headers['content-type'] ?? '').split(';');
  const format = FORMATS[essence.trim().toLowerCase()];
  if (format === undefined) {
    throw new UnsupportedMediaType('Send a tar.gz as application/gzip, or a zip as application/zip.');
  }
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw new UnsupportedMediaType('Send the archive without a content encoding.');
  }
  return {
    ...incomingBody(request, reply),
    format,
    activation: parseActivation(request),
    source: parseDeploySource(request.query as SourceParameters),
  };
}

/** Whether the body is a manifest rather than an archive. */
export function hasManifest({ headers }: FastifyRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/** @throws {InvalidRequest} @throws {UnsupportedMediaType} */
export function parseManifestUpload(request: FastifyRequest, reply: FastifyReply): ManifestUpload {
  const encoding = request.headers['content-encoding'] ?? '';
  if (!/^(identity|gzip)?$/i.test(encoding)) {
    throw new UnsupportedMediaType('Send the manifest without a content encoding, or with gzip.');
  }
  const { activate, ...source } = request.query as SourceParameters & { readonly activate?: string };
  if (activate !== undefined) {
    throw new InvalidRequest('"activate" is not possible here.', [
      { field: 'activate', reason: 'Send it with the request that finishes the deploy.' },
    ]);
  }
  return {
    ...incomingBody(request, reply),
    isCompressed: encoding.toLowerCase() === 'gzip',
    source: parseDeploySource(source),
  };
}

/** @throws {UnsupportedMediaType} */
export function parseBlobUpload(request: FastifyRequest, reply: FastifyReply): IncomingBody {
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
    throw new UnsupportedMediaType('Send the bytes without a content encoding.');
  }
  return incomingBody(request, reply);
}

function incomingBody(request: FastifyRequest, reply: FastifyReply): IncomingBody {
  const length = request.headers['content-length'];
  return {
    size: length === undefined ? undefined : Number(length),
    openBody: () => openBody(request),
    clientSignal: abortSignalFor(reply),
  };
}

/** Activation policies by the values of `activate`. */
const POLICIES = new Map<string, ActivationPolicy>([
  ['true', 'when-safe'],
  ['false', 'never'],
  ['force', 'always'],
]);

/** The values of the query parameter `activate`. */
export const ACTIVATE_VALUES = [...POLICIES.keys()];

/** @throws {InvalidRequest} */
export function parseActivation({ query }: FastifyRequest): ActivationPolicy {
  const { activate = 'true' } = query as { activate?: string };
  const policy = POLICIES.get(activate);
  if (policy) return policy;
  throw new InvalidRequest('"activate" must be true, false or force.', [
    { field: 'activate', reason: 'It must be true (the default), false or force.' },
  ]);
}

/** Opens the body as a stream that keeps the connection open when it is closed early, because the response needs it. */
function openBody({ raw }: FastifyRequest): Readable {
  sendContinue(raw);
  // After the last byte, the client waits for the server, and unpacking may exceed the idle timeout.
  raw.once('end', () => raw.setTimeout(0));
  return Readable.from(raw.iterator({ destroyOnReturn: false }), { objectMode: false });
}
