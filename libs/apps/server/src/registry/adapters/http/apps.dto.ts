import { ApiProperty } from '@nestjs/swagger';
import {
  type ActiveDeploy,
  type App,
  APP_ADDRESS_KINDS,
  APP_TYPES,
  type AppAddress,
  type AppAddressKind,
  type AppDeletion,
  type AppList,
  type AppRuntime,
  type AppType,
  type DeployLimits,
  DNS_STATUSES,
  type DnsError,
  type DnsStatus,
  type Hosting,
  RegisterApp,
  RUNTIME_STATES,
  type RuntimeState,
  type SubdomainAvailability,
} from '@homeport/apps/contracts';

export class RegisterAppBody extends RegisterApp {
  @ApiProperty({ maxLength: 200, example: 'My Shop' })
  declare name: string;

  @ApiProperty({ enum: APP_TYPES, default: 'static', required: false })
  declare type?: string;
}

export class DnsErrorBody implements DnsError {
  @ApiProperty({
    enum: [
      'throttled',
      'timeout',
      'provider-unavailable',
      'access-denied',
      'zone-missing',
      'foreign-record',
      'invalid-record',
    ],
  })
  readonly code!: DnsError['code'];
  @ApiProperty({ example: 'The DNS provider limits the number of changes.' }) readonly message!: string;
  @ApiProperty() readonly retryable!: boolean;
  @ApiProperty({ type: 'integer' }) readonly attempts!: number;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly next_attempt_at!: string | null;
}

export class ActiveDeployBody implements ActiveDeploy {
  @ApiProperty({ type: 'integer', minimum: 1 }) readonly number!: number;
  @ApiProperty({ format: 'date-time' }) readonly created_at!: string;
  @ApiProperty({ example: 'Ada Lovelace' }) readonly created_by!: string;
  @ApiProperty({ type: 'integer', minimum: 0 }) readonly problem_count!: number;
  @ApiProperty({ description: 'whether `/` answers with a page or a redirect' }) readonly has_start_page!: boolean;
}

export class AppRuntimeBody implements AppRuntime {
  @ApiProperty({ enum: RUNTIME_STATES }) readonly state!: RuntimeState;
  @ApiProperty({ type: 'integer', minimum: 0 }) readonly instances!: number;
  @ApiProperty({ required: false, description: 'why the state is `crash-loop`, or why a restart failed' })
  readonly reason?: string;
}

export class AppAddressBody implements AppAddress {
  @ApiProperty({ format: 'uri' }) readonly url!: string;
  @ApiProperty({ enum: APP_ADDRESS_KINDS, description: 'platform domain, base domain or host name of the app' })
  readonly kind!: AppAddressKind;
  @ApiProperty({ description: 'whether it is the `url` of the app' }) readonly is_primary!: boolean;
}

export class AppBody implements App {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ example: 'My Shop' }) readonly name!: string;
  @ApiProperty({ example: 'my-shop' }) readonly subdomain!: string;
  @ApiProperty({ example: 'my-shop.apps.example.com' }) readonly hostname!: string;
  @ApiProperty({ format: 'uri', description: 'the primary address' }) readonly url!: string;
  @ApiProperty({ type: [AppAddressBody], description: 'all addresses that work' })
  readonly addresses!: readonly AppAddressBody[];
  @ApiProperty({ enum: APP_TYPES }) readonly type!: AppType;
  @ApiProperty({ type: 'integer' }) readonly deploy_count!: number;
  @ApiProperty({ enum: DNS_STATUSES }) readonly dns_status!: DnsStatus;
  @ApiProperty({ required: false }) readonly dns_error?: DnsErrorBody;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) readonly active_deploy_id!: string | null;
  @ApiProperty({ type: ActiveDeployBody, nullable: true }) readonly active_deploy!: ActiveDeployBody | null;
  @ApiProperty({ required: false, description: 'present for SSR apps' }) readonly runtime?: AppRuntimeBody;
  @ApiProperty({ format: 'date-time' }) readonly created_at!: string;
}

export class AppListBody implements AppList {
  @ApiProperty({ type: [AppBody] }) readonly items!: readonly AppBody[];
  @ApiProperty({ type: String, nullable: true }) readonly next_cursor!: string | null;
}

export class SubdomainAvailabilityBody implements SubdomainAvailability {
  @ApiProperty({ example: 'My Shop' }) readonly candidate!: string;
  @ApiProperty({ example: 'my-shop' }) readonly subdomain!: string;
  @ApiProperty() readonly available!: boolean;
  @ApiProperty({ type: String, enum: ['invalid', 'reserved', 'taken', null], nullable: true })
  readonly reason!: SubdomainAvailability['reason'];
}

export class AppDeletionBody implements AppDeletion {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ enum: [true] }) readonly deleted!: true;
  @ApiProperty({ enum: ['deleted', 'dangling'] }) readonly dns!: 'deleted' | 'dangling';
  @ApiProperty({ type: 'integer' }) readonly archived_deploys!: number;
}

export class DeployLimitsBody implements DeployLimits {
  @ApiProperty({ type: 'integer', description: 'bytes of the uploaded archive' }) readonly archive_bytes!: number;
  @ApiProperty({ type: 'integer', description: 'bytes of the unpacked archive' }) readonly unpacked_bytes!: number;
  @ApiProperty({ type: 'integer' }) readonly files!: number;
  @ApiProperty({ type: 'integer', description: 'bytes of the largest file' }) readonly file_bytes!: number;
}

export class HostingBody implements Hosting {
  @ApiProperty({ example: 'apps.example.com' }) readonly domain!: string;
  @ApiProperty({ example: 'd111111abcdef8.cloudfront.net' }) readonly cname_target!: string;
  @ApiProperty({ type: [String], example: ['api', 'www'] }) readonly reserved_subdomains!: readonly string[];
  @ApiProperty({ type: 'integer', nullable: true, description: 'null when there is no limit' })
  readonly apps_per_organization!: number | null;
  @ApiProperty() readonly deploy_limits!: DeployLimitsBody;
  @ApiProperty({ enum: APP_TYPES, isArray: true, description: 'the types that can be registered', example: APP_TYPES })
  readonly app_types!: readonly AppType[];
}
