import { IsBoolean, IsIn, IsNumber, IsString, IsUUID, ValidateIf } from 'class-validator';
import { DOMAIN_HSTS, DOMAIN_KINDS, type DomainHsts, type DomainKind } from './domain';

/** The body of `POST /api/domains`. */
export class AddDomain {
  @IsIn(DOMAIN_KINDS)
  kind!: DomainKind;

  @IsString()
  name!: string;

  /** The app of a host name; base domains have none. */
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsUUID()
  app_id?: string | null;

  /** USD a month, as the prices state it. */
  @IsNumber()
  accept_price_usd!: number;
}

/** The body of `PATCH /api/domains/{id}`. Absent values stay as they are. */
export class ChangeDomain {
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  is_primary?: boolean;

  /** Another name of the app; null serves the app at the domain. */
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsString()
  redirect_to?: string | null;

  @ValidateIf((_, value) => value !== undefined)
  @IsIn(DOMAIN_HSTS)
  hsts?: DomainHsts;
}
