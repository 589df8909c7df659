import { IsBoolean, IsObject, IsString, Matches, ValidateIf } from 'class-validator';
import type { Usage } from './usage';

/** The body of `POST /v1/pricing/estimate`. */
export class EstimateRequest {
  /** Its ids and quantities are checked against the card in force. */
  @IsObject()
  usage!: Usage;

  /** Whether the account is in its trial, with nothing of the cap used yet. Default: false. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  trial?: boolean;

  /** Of the statement that the caller has in front of them. */
  @ValidateIf((_, value) => value !== undefined)
  @IsString()
  @Matches(/^\d{4}-\d{2}-\d{2}(\.\d{1,6})?$/, { message: 'version must be a date, such as 2026-10-01' })
  version?: string;
}
