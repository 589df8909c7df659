import { IsBoolean, IsObject, IsString, Matches, ValidateIf } from 'class-validator';
import type { Usage } from './usage';

/** The body of `POST /v1/pricing/estimate`. */
export class EstimateRequest {
  /** Checked against the current usage card. */
  @IsObject()
  usage!: Usage;

  /** Whether the account is in its trial and has not used any of the cap. Default: false. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  trial?: boolean;

  /** The version of the statement that the caller displays. */
  @ValidateIf((_, value) => value !== undefined)
  @IsString()
  @Matches(/^\d{4}-\d{2}-\d{2}(\.\d{1,6})?$/, { message: 'version must be a date, such as 2026-10-01' })
  version?: string;
}
