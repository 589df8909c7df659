import { ApiProperty } from '@nestjs/swagger';
import type {
  BrowserSession,
  SessionList,
  SessionSummary,
  SessionUser,
  SignInProvider,
} from '@homeport/identity/contracts';

export class SignInProviderBody implements SignInProvider {
  @ApiProperty({ example: 'northwind' }) readonly id!: string;
  @ApiProperty({ example: 'Northwind' }) readonly label!: string;
}

export class SessionUserBody implements SessionUser {
  @ApiProperty({ example: 'ada' }) readonly sub!: string;
  @ApiProperty({ required: false, example: 'Ada Lovelace' }) readonly name?: string;
  @ApiProperty({ required: false, example: 'ada@northwind.example' }) readonly email?: string;
  @ApiProperty({ type: String, nullable: true, example: 'northwind' }) readonly organization!: string | null;
  @ApiProperty({
    required: false,
    example: 'Northwind',
    description: 'The display name of the organization; absent when the identity service does not send one',
  })
  readonly organization_name?: string;
}

export class BrowserSessionBody implements BrowserSession {
  @ApiProperty({ description: 'A bearer token for `/api`', example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' })
  readonly access_token!: string;
  @ApiProperty({ format: 'date-time' }) readonly expires_at!: string;
  @ApiProperty() readonly user!: SessionUserBody;
}

export class SessionSummaryBody implements SessionSummary {
  @ApiProperty({ example: 'o1VbQ0fJ4hYk2m9T' }) readonly id!: string;
  @ApiProperty({
    description: 'The User-Agent of the browser',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  })
  readonly device!: string;
  @ApiProperty({ format: 'date-time' }) readonly created_at!: string;
  @ApiProperty({ format: 'date-time', description: 'Exact to 30 seconds' }) readonly last_used_at!: string;
  @ApiProperty({ description: 'Whether this is the session of the request' }) readonly current!: boolean;
}

export class SessionListBody implements SessionList {
  @ApiProperty({ type: [SessionSummaryBody] }) readonly items!: readonly SessionSummaryBody[];
}
