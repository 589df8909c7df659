import { ApiProblem, type Homeport, type UploadedDeploy } from '@homeport/api-client';
import { uploadArchive } from './upload-archive';
import { type SiteUpload, uploadByDigest } from './upload-by-digest';

/** Uploads a folder by digest, or as an archive where the server accepts no manifests. */
export async function uploadSite(homeport: Homeport, upload: SiteUpload): Promise<UploadedDeploy> {
  try {
    return await uploadByDigest(homeport, upload);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 415) return uploadArchive(homeport, upload);
    throw error;
  }
}
