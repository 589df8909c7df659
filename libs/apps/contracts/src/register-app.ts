import { IsString, Matches, ValidateIf } from 'class-validator';

/** The body of `POST /api/apps`. */
export class RegisterApp {
  @IsString()
  name!: string;

  /** `static` (the default) or `ssr`, in any case. */
  @ValidateIf((_, value) => value !== undefined)
  @IsString()
  @Matches(/^(static|ssr)$/i, { message: 'type must be static or ssr' })
  type?: string;
}
