import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  APP_TYPES,
  type AppType,
  type Deploy,
  type DeployActivation,
  DEPLOY_ERROR_CODES,
  DEPLOY_STATUSES,
  type DeployDetails,
  type DeployError,
  type DeployFile,
  type DeployFileList,
  type DeployList,
  type DeployProblem,
  type DeploySource,
  type DeployStatus,
  MAX_START_LOG_LINES,
  NOT_ACTIVATED_REASONS,
  type StartedDeploy,
  type UploadedDeploy,
} from '@homeport/apps/contracts';
import { type Framework, FRAMEWORKS } from '@homeport/hosting/contracts';

export class DeployErrorBody implements DeployError {
  @ApiProperty({ enum: DEPLOY_ERROR_CODES }) readonly code!: DeployError['code'];
  @ApiProperty({ example: 'The archive was rejected.' }) readonly message!: string;
  @ApiProperty({
    type: [String],
    required: false,
    maxItems: MAX_START_LOG_LINES,
    description: 'the last lines of the server; present for `start-failed`',
  })
  readonly log?: readonly string[];
}

export class DeploySourceBody implements DeploySource {
  @ApiProperty({ type: String, nullable: true, example: 'main' }) readonly branch!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
    example: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  })
  readonly commit!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Correct the prices' }) readonly message!: string | null;
  @ApiProperty({ type: String, format: 'uri', nullable: true, example: 'https://ci.example.com/runs/512' })
  readonly url!: string | null;
}

export class DeployBody implements Deploy {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ format: 'uuid' }) readonly app_id!: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'per app; never used again' }) readonly number!: number;
  @ApiProperty({ enum: DEPLOY_STATUSES }) readonly status!: DeployStatus;
  @ApiProperty({ type: 'integer' }) readonly file_count!: number;
  @ApiProperty({ type: 'integer', description: 'bytes' }) readonly total_bytes!: number;
  @ApiProperty({ format: 'uri', description: 'the preview address' }) readonly url!: string;
  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'shows the newest deploy of the branch; null unless that is this one',
    example: 'https://pv--main--shop.apps.example.com',
  })
  readonly alias_url!: string | null;
  @ApiProperty({ format: 'date-time' }) readonly created_at!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly ready_at!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly archived_at!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null when it never was live' })
  readonly first_live_at!: string | null;
  @ApiProperty({ description: 'whether it was held back when it became ready' }) readonly held_back!: boolean;
  @ApiProperty({ example: 'Ada Lovelace' }) readonly created_by!: string;
  @ApiProperty({ type: DeploySourceBody, nullable: true, description: 'null when the uploader stated nothing' })
  readonly source!: DeploySourceBody | null;
  @ApiProperty({ type: 'integer', minimum: 0 }) readonly problem_count!: number;
  @ApiProperty({
    type: String,
    enum: [...FRAMEWORKS, null],
    nullable: true,
    description: 'what the server was built with; null without a server',
  })
  readonly framework!: Framework | null;
  @ApiProperty({ required: false }) readonly error?: DeployErrorBody;
}

export class DeployActivationBody implements DeployActivation {
  @ApiProperty() readonly activated!: boolean;
  @ApiProperty({
    type: String,
    enum: [...NOT_ACTIVATED_REASONS, null],
    nullable: true,
    description: 'why the deploy did not go live; null when it did',
  })
  readonly reason!: DeployActivation['reason'];
}

export class UploadedDeployBody extends DeployBody implements UploadedDeploy {
  @ApiProperty() readonly activation!: DeployActivationBody;
}

const DIGEST = { pattern: '^sha256:[0-9a-f]{64}$', example: `sha256:${'0f'.repeat(32)}` } as const;

export class ManifestFileBody {
  @ApiProperty(DIGEST) readonly digest!: string;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'bytes', example: 123 }) readonly size!: number;
}

/** The class only documents the body: 20,000 files are too many for the validation of fields. */
export class ManifestBody {
  @ApiProperty({
    type: 'object',
    description: 'The files of the site by path.',
    additionalProperties: { $ref: getSchemaPath(ManifestFileBody) },
    example: { 'index.html': { digest: DIGEST.example, size: 123 } },
  })
  readonly files!: Readonly<Record<string, ManifestFileBody>>;
  @ApiProperty({ enum: APP_TYPES, required: false, description: 'the type of the app that the files are built for' })
  readonly type?: AppType;
}

export class StartedDeployBody extends DeployBody implements StartedDeploy {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', ...DIGEST },
    description: 'the digests to upload: those that the organization does not have',
  })
  readonly missing!: readonly string[];
}

export class DeployListBody implements DeployList {
  @ApiProperty({ type: [DeployBody] }) readonly items!: readonly DeployBody[];
  @ApiProperty({ type: String, nullable: true }) readonly next_cursor!: string | null;
}

export class DeployFileBody implements DeployFile {
  @ApiProperty({ example: 'assets/main-5KQ7ZP2A.js' }) readonly path!: string;
  @ApiProperty({ type: 'integer', description: 'bytes' }) readonly size!: number;
  @ApiProperty({ example: 'text/javascript; charset=utf-8' }) readonly content_type!: string;
  @ApiProperty({ pattern: '^sha-256:[0-9a-f]{64}$', example: `sha-256:${'5f'.repeat(32)}` }) readonly digest!: string;
}

export class DeployFileListBody implements DeployFileList {
  @ApiProperty({ type: [DeployFileBody] }) readonly items!: readonly DeployFileBody[];
  @ApiProperty({ type: String, nullable: true }) readonly next_cursor!: string | null;
}

export class DeployProblemBody implements DeployProblem {
  @ApiProperty({ example: '_redirects' }) readonly path!: string;
  @ApiProperty({ type: 'integer', nullable: true }) readonly line!: number | null;
  @ApiProperty({ example: 'The status must be 200, 301, 302, 303, 307, 308 or 404.' }) readonly reason!: string;
}

export class DeployDetailsBody extends DeployBody implements DeployDetails {
  @ApiProperty({
    type: DeployBody,
    nullable: true,
    description: 'target of a rollback; null unless this deploy is active',
  })
  readonly rolls_back_to!: DeployBody | null;
  @ApiProperty({ type: [DeployFileBody], description: 'the first 1,000' }) readonly files!: readonly DeployFileBody[];
  @ApiProperty({ type: String, nullable: true, description: 'null when `files` holds all of them' })
  readonly files_next_cursor!: string | null;
  @ApiProperty({ type: [DeployProblemBody] }) readonly problems!: readonly DeployProblemBody[];
}
