import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { S3Error } from '../protocol/errors.ts';
import type { Report } from '../report.ts';
import { DurableFolder } from './durable-folder.ts';
import { MultipartUpload } from './multipart-upload.ts';
import type { UploadDescription } from './multipart-upload.ts';
import type { Scratch } from './scratch.ts';

/** The unfinished uploads of one bucket; they survive a restart. */
export class MultipartUploads {
  private readonly folder: DurableFolder;
  private readonly scratch: Scratch;
  private readonly report: Report;
  private readonly uploads = new Map<string, MultipartUpload>();

  constructor(path: string, scratch: Scratch, report: Report) {
    this.folder = new DurableFolder(path);
    this.scratch = scratch;
    this.report = report;
    for (const id of readdirSync(path)) this.load(id);
  }

  all(): MultipartUpload[] {
    return [...this.uploads.values()];
  }

  /** Throws NoSuchUpload, also for an upload of another key. */
  get(id: string, key: string): MultipartUpload {
    const upload = this.uploads.get(id);
    if (upload?.description.key !== key) throw new S3Error('NoSuchUpload');
    return upload;
  }

  async create(description: UploadDescription): Promise<MultipartUpload> {
    const id = randomUUID();
    await MultipartUpload.create(this.folder.join(id), description, this.scratch);
    const upload = this.load(id);
    if (!upload) throw new Error('A new upload cannot be read back');
    await this.folder.flush();
    return upload;
  }

  /** Throws OperationAborted while the upload is being completed. */
  async abort(upload: MultipartUpload): Promise<void> {
    upload.assertOpen();
    await this.remove(upload);
  }

  async remove(upload: MultipartUpload): Promise<void> {
    upload.remove();
    this.uploads.delete(upload.id);
    await this.folder.flush();
  }

  private load(id: string): MultipartUpload | undefined {
    const { scratch, report } = this;
    const upload = MultipartUpload.load(this.folder.join(id), id, { scratch, report });
    if (upload) this.uploads.set(id, upload);
    return upload;
  }
}
