import { ApiProblem, filePath, type Homeport } from '@homeport/api-client';

export interface RemoteFile {
  readonly etag: string;
  readonly size: number;
  readonly contentType: string;
}

/** @returns the entity tag, size and media type of a file. @throws {ApiProblem} 404 with Problem Details. */
export async function headOf(homeport: Homeport, path: string): Promise<RemoteFile> {
  const { headers } = await homeport.send({ method: 'HEAD', path: filePath(path) }).catch((error: unknown) => {
    // The answer to HEAD has no body that describes the error.
    if (error instanceof ApiProblem && error.status === 404) throw notFound(path, error);
    throw error;
  });
  const contentType = headers.get('content-type') ?? 'application/octet-stream';
  return { etag: headers.get('etag') ?? '', size: Number(headers.get('content-length')), contentType };
}

function notFound(path: string, { headers, request_id }: ApiProblem): ApiProblem {
  const detail = `There is no file "${path}".`;
  const problem = { type: 'about:blank', title: 'Not found', status: 404, detail, code: 'files.not-found', request_id };
  return new ApiProblem(problem, headers);
}
