import { ApiProperty } from '@nestjs/swagger';
import type {
  BrowserSession,
  SessionList,
  SessionSummary,
  SessionUser,
  SignInProvider,
} from '@homeport/identity/contracts';

export class SignInProviderBody implements SignInProvider {
  @ApiProperty() readonly id!: string;
  @ApiProperty() readonly label!: string;
}

export class SessionUserBody implements SessionUser {
  @ApiProperty() readonly sub!: string;
  @ApiProperty({ required: false }) readonly name?: string;
  @ApiProperty({ required: false }) readonly email?: string;
  @ApiProperty({ type: String, nullable: true }) readonly organization!: string | null;
  @ApiProperty({
    required: false,
    description: 'The display name of the organization; absent when the identity service does not send one',
  })
  readonly organization_name?: string;
}

export class BrowserSessionBody implements BrowserSession {
  @ApiProperty() readonly access_token!: string;
  @ApiProperty({ format: 'date-time' }) readonly expires_at!: string;
  @ApiProperty() readonly user!: SessionUserBody;
}

export class SessionSummaryBody implements SessionSummary {
  @ApiProperty() readonly id!: string;
  @ApiProperty({ description: 'The User-Agent of the browser' }) readonly device!: string;
  @ApiProperty({ format: 'date-time' }) readonly created_at!: string;
  @ApiProperty({ format: 'date-time', description: 'Exact to 30 seconds' }) readonly last_used_at!: string;
  @ApiProperty({ description: 'Whether this is the session of the request' }) readonly current!: boolean;
}

export class SessionListBody implements SessionList {
  @ApiProperty({ type: [SessionSummaryBody] }) readonly items!: readonly SessionSummaryBody[];
}
