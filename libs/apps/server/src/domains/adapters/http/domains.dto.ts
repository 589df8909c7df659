import { ApiProperty } from '@nestjs/swagger';
import {
  AddDomain,
  ChangeDomain,
  type Domain,
  DOMAIN_CERTIFICATES,
  DOMAIN_HSTS,
  DOMAIN_KINDS,
  DOMAIN_OWNERSHIPS,
  DOMAIN_RECORD_PURPOSES,
  DOMAIN_RECORD_STATES,
  DOMAIN_RECORD_TYPES,
  DOMAIN_ROUTINGS,
  DOMAIN_STATUSES,
  type DomainCertificate,
  type DomainHsts,
  type DomainKind,
  type DomainList,
  type DomainOwnership,
  type DomainPricesUsd,
  type DomainRecord,
  type DomainRecordPurpose,
  type DomainRecordState,
  type DomainRecordType,
  type DomainRouting,
  type DomainStatus,
  type SeenAnswer,
} from '@homeport/apps/contracts';

const NAME = { type: String, example: 'www.example.com' } as const;
const TIME = { type: String, format: 'date-time', nullable: true } as const;

export class SeenAnswerBody implements SeenAnswer {
  @ApiProperty({ description: 'host name or address of the name server', example: 'ns1.example.net' })
  readonly server!: string;

  @ApiProperty({
    type: [String],
    description: 'empty when the server has no such record, or did not answer',
    example: ['homeport-domain=3f2b8c1d9a7e4f60b5c2d8e1a4f70936'],
  })
  readonly answer!: readonly string[];
}

export class DomainRecordBody implements DomainRecord {
  @ApiProperty({ enum: DOMAIN_RECORD_TYPES }) readonly type!: DomainRecordType;
  @ApiProperty({ example: '_homeport.www.example.com' }) readonly name!: string;
  @ApiProperty({ example: 'homeport-domain=3f2b8c1d9a7e4f60b5c2d8e1a4f70936' }) readonly value!: string;
  @ApiProperty({ enum: DOMAIN_RECORD_PURPOSES }) readonly purpose!: DomainRecordPurpose;
  @ApiProperty({ enum: DOMAIN_RECORD_STATES }) readonly state!: DomainRecordState;
  @ApiProperty({ type: [SeenAnswerBody], description: 'what each name server answered at the last check' })
  readonly seen!: readonly SeenAnswerBody[];
  @ApiProperty({ type: String, nullable: true, description: 'the likely mistake and the next step', example: null })
  readonly hint!: string | null;
}

export class DomainBody implements Domain {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ enum: DOMAIN_KINDS }) readonly kind!: DomainKind;
  @ApiProperty(NAME) readonly name!: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) readonly app_id!: string | null;
  @ApiProperty({ enum: DOMAIN_STATUSES, description: 'the three states below in one word' })
  readonly status!: DomainStatus;
  @ApiProperty({ enum: DOMAIN_OWNERSHIPS }) readonly ownership!: DomainOwnership;
  @ApiProperty({ enum: DOMAIN_ROUTINGS, description: 'where the records of the name lead' })
  readonly routing!: DomainRouting;
  @ApiProperty({ enum: DOMAIN_CERTIFICATES }) readonly certificate!: DomainCertificate;
  @ApiProperty({ type: [DomainRecordBody] }) readonly records!: readonly DomainRecordBody[];
  @ApiProperty({ description: 'whether it is the main address of its app, or of all apps' })
  readonly is_primary!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'the name to which visitors are redirected',
    example: null,
  })
  readonly redirect_to!: string | null;
  @ApiProperty({ enum: DOMAIN_HSTS, description: 'whether browsers are told to open it by https only (HSTS)' })
  readonly hsts!: DomainHsts;
  @ApiProperty(TIME) readonly certificate_expires_at!: string | null;
  @ApiProperty(TIME) readonly next_check_at!: string | null;
  @ApiProperty({ description: 'USD a month, as accepted when the domain was added', example: 10 })
  readonly price_usd!: number;
  @ApiProperty({ format: 'date-time' }) readonly created_at!: string;
}

export class DomainPricesBody implements DomainPricesUsd {
  @ApiProperty({ example: 10 }) readonly hostname!: number;
  @ApiProperty({ example: 50 }) readonly base!: number;
}

export class DomainListBody implements DomainList {
  @ApiProperty({ type: [DomainBody] }) readonly items!: readonly DomainBody[];
  @ApiProperty({
    type: DomainPricesBody,
    nullable: true,
    description:
      'what the organization pays for an active domain, in USD a month; null while the prices are unavailable',
  })
  readonly prices_usd!: DomainPricesBody | null;
  @ApiProperty({
    enum: DOMAIN_KINDS,
    isArray: true,
    required: false,
    description: 'the kinds that can be added; without `base` where the installation gets no certificates for them',
    example: DOMAIN_KINDS,
  })
  readonly offered_kinds?: readonly DomainKind[];
}

export class AddDomainBody extends AddDomain {
  @ApiProperty({ enum: DOMAIN_KINDS, example: 'hostname' }) declare kind: DomainKind;
  @ApiProperty(NAME) declare name: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    required: false,
    description: 'required for host names, and not allowed for base domains',
    example: '3c1f7d52-8a0e-4b6f-9d21-5e7a4c90b813',
  })
  declare app_id?: string | null;
  @ApiProperty({ description: 'the price of the current statement, which is accepted with the call', example: 10 })
  declare accept_price_usd: number;
}

export class ChangeDomainBody extends ChangeDomain {
  @ApiProperty({ required: false, example: true }) declare is_primary?: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description: 'another name of the same app',
    example: null,
  })
  declare redirect_to?: string | null;
  @ApiProperty({
    enum: DOMAIN_HSTS,
    required: false,
    description: '`on`: browsers refuse the domain without https for two years after each visit',
    example: 'on',
  })
  declare hsts?: DomainHsts;
}
