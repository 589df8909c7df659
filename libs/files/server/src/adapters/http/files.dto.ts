import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import {
  type ArchiveLink,
  type ArchiveRequest,
  type FileEntry,
  type FileListing,
  MAX_ARCHIVE_PATHS,
} from '@homeport/files/contracts';

export class FileEntryBody implements FileEntry {
  @ApiProperty({ example: 'reports/2026/q3.md' }) readonly key!: string;
  @ApiProperty({ description: 'Bytes', type: 'integer', example: 1024 }) readonly size!: number;
  @ApiProperty({ example: '"9b2cf535f27731c974343645a3985328"' }) readonly etag!: string;
  @ApiProperty({ format: 'date-time' }) readonly modified_at!: string;
  @ApiProperty({ required: false, example: 'text/markdown' }) readonly content_type?: string;
}

export class FileListingBody implements FileListing {
  @ApiProperty({ type: [FileEntryBody] }) readonly items!: readonly FileEntryBody[];
  @ApiProperty({
    type: [String],
    description: 'With delimiter=/: the directories of this level',
    example: ['reports/2026/drafts/'],
  })
  readonly directories!: readonly string[];
  @ApiProperty({ type: String, nullable: true }) readonly next_cursor!: string | null;
  @ApiProperty({ description: 'Whether a bounded scan stopped before it had seen every file' })
  readonly truncated!: boolean;
}

export class ArchiveRequestBody implements ArchiveRequest {
  @ApiProperty({
    description: 'Not percent-encoded. A folder ends with `/`; `/` alone is the whole workspace.',
    type: [String],
    minItems: 1,
    maxItems: MAX_ARCHIVE_PATHS,
    example: ['reports/', 'notes/a.md'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ARCHIVE_PATHS)
  @IsString({ each: true })
  readonly paths!: string[];
}

export class ArchiveLinkBody implements ArchiveLink {
  @ApiProperty({ description: 'Path on this server', example: '/v1/archives/…' }) readonly url!: string;
  @ApiProperty({ format: 'date-time', description: 'The download must start before this time' })
  readonly expires_at!: string;
}
