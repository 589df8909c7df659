import { ApiProperty } from '@nestjs/swagger';
import type { BrowserSession, SessionUser, SignInProvider } from '@homeport/identity/contracts';

export class SignInProviderBody implements SignInProvider {
  @ApiProperty() readonly id!: string;
  @ApiProperty() readonly label!: string;
}

export class SessionUserBody implements SessionUser {
  @ApiProperty() readonly sub!: string;
  @ApiProperty({ required: false }) readonly name?: string;
  @ApiProperty({ required: false }) readonly email?: string;
  @ApiProperty({ required: false }) readonly organization?: string;
}

export class BrowserSessionBody implements BrowserSession {
  @ApiProperty() readonly access_token!: string;
  @ApiProperty({ format: 'date-time' }) readonly expires_at!: string;
  @ApiProperty() readonly user!: SessionUserBody;
}
