import { IsIn, IsOptional, IsString } from 'class-validator';
import { APP_TYPES, type AppType } from './app';

/** The body of `POST /api/apps`. */
export class RegisterApp {
  @IsString()
  name!: string;

  @IsOptional()
  @IsIn(APP_TYPES)
  type?: AppType;
}
