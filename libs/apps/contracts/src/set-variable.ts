import { IsIn, IsString, ValidateIf } from 'class-validator';
import { VARIABLE_SCOPES, type VariableScope } from './environment';

/** The body of `PUT /api/apps/{id}/environment/{name}`. */
export class SetVariable {
  @IsString()
  value!: string;

  /** Default: `all`. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(VARIABLE_SCOPES)
  scope?: VariableScope;
}
