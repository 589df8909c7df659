import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import {
  type CfnUserPoolClient,
  FeaturePlan,
  LambdaVersion,
  Mfa,
  OAuthScope,
  ProviderAttribute,
  StringAttribute,
  UserPool,
  UserPoolClientIdentityProvider,
  UserPoolIdentityProviderOidc,
  UserPoolOperation,
  type UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { type IdentityProvider, SECRET_NAMES, type Settings } from './settings.ts';

/** The attribute that Cognito fills from the claim of a provider. */
const ORGANIZATION = 'organization';
/** Not `aws.cognito.signin.user.admin`: with that scope people could change their own attributes. */
const SCOPES = [OAuthScope.OPENID, OAuthScope.PROFILE, OAuthScope.EMAIL];

export interface SignInProps {
  readonly productHost: string;
  readonly signIn: Settings['signIn'];
}

/** People of two identity providers, signed in through the hosted pages of Amazon Cognito. */
export class SignIn extends Construct {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: ISecret;
  readonly scopes = SCOPES.map(({ scopeName }) => scopeName).join(' ');
  /** For `AUTH_PROVIDERS`. */
  readonly providers: readonly { id: string; label: string; params: Record<string, string> }[];
  /** Adds the claim of the organization. */
  readonly claims: Function;

  constructor(scope: Construct, id: string, { productHost, signIn }: SignInProps) {
    super(scope, id);
    const pool = this.#createPool();
    this.claims = this.#createClaims(signIn.providers);
    pool.addTrigger(UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG, this.claims, LambdaVersion.V2_0);
    pool.addDomain('Pages', { cognitoDomain: { domainPrefix: signIn.domainPrefix } });
    const providers = signIn.providers.map((provider) => this.#addProvider(pool, provider));
    const client = this.#addClient(pool, productHost, signIn.providers);
    for (const provider of providers) client.node.addDependency(provider);
    this.issuer = `https://cognito-idp.${Stack.of(this).region}.amazonaws.com/${pool.userPoolId}`;
    this.clientId = client.userPoolClientId;
    this.clientSecret = this.#secretOf(client);
    this.providers = signIn.providers.map(({ id, label }) => ({ id, label, params: { identity_provider: id } }));
  }

  #createPool(): UserPool {
    const pool = new UserPool(this, 'People', {
      selfSignUpEnabled: false,
      signInCaseSensitive: false,
      featurePlan: FeaturePlan.ESSENTIALS,
      mfa: Mfa.OFF,
      customAttributes: { [ORGANIZATION]: new StringAttribute({ mutable: true, maxLen: 128 }) },
      passwordPolicy: {
        minLength: 16,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    acknowledge(pool, {
      'AwsSolutions-COG2': 'The pool has no passwords: the identity providers decide about further factors.',
      'AwsSolutions-COG3': 'Threat protection watches passwords of the pool, and there are none.',
      'AwsSolutions-COG8': 'The plan Plus adds threat protection for passwords of the pool, and there are none.',
    });
    return pool;
  }

  #createClaims(providers: readonly IdentityProvider[]): Function {
    const logGroup = new LogGroup(this, 'ClaimsLog', { retention: RetentionDays.ONE_MONTH });
    const actions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
    const log = new PolicyStatement({ actions, resources: [logGroup.logGroupArn] });
    const role = new Role(this, 'ClaimsRole', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { log: new PolicyDocument({ statements: [log] }) },
    });
    return new Function(this, 'Claims', {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      // Inline: nothing to bundle or to upload.
      code: Code.fromInline(readFileSync(join(import.meta.dirname, 'organization-claim.cjs'), 'utf8')),
      environment: {
        ORGANIZATIONS: JSON.stringify(Object.fromEntries(providers.map(({ id, organization }) => [id, organization]))),
      },
      // Cognito waits 5 seconds.
      timeout: Duration.seconds(4),
      role,
      logGroup,
    });
  }

  #addProvider(userPool: UserPool, { id, issuer, clientId, organization }: IdentityProvider): Construct {
    return new UserPoolIdentityProviderOidc(this, `Provider-${id}`, {
      userPool,
      name: id,
      issuerUrl: issuer,
      clientId,
      clientSecret: SecretValue.secretsManager(SECRET_NAMES.provider(id)).unsafeUnwrap(),
      scopes: ['openid', 'profile', 'email'],
      attributeMapping: {
        email: ProviderAttribute.other('email'),
        fullname: ProviderAttribute.other('name'),
        ...('claim' in organization && {
          custom: { [`custom:${ORGANIZATION}`]: ProviderAttribute.other(organization.claim) },
        }),
      },
    });
  }

  #addClient(pool: UserPool, productHost: string, providers: readonly IdentityProvider[]): UserPoolClient {
    const client = pool.addClient('Product', {
      generateSecret: true,
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: SCOPES,
        callbackUrls: [`https://${productHost}/auth/callback`],
        logoutUrls: [`https://${productHost}/`],
      },
      supportedIdentityProviders: providers.map(({ id }) => UserPoolClientIdentityProvider.custom(id)),
      accessTokenValidity: Duration.minutes(10),
      idTokenValidity: Duration.minutes(10),
      refreshTokenValidity: Duration.days(30),
    });
    // Without a list, Cognito also accepts passwords.
    (client.node.defaultChild as CfnUserPoolClient).explicitAuthFlows = ['ALLOW_REFRESH_TOKEN_AUTH'];
    return client;
  }

  #secretOf(client: UserPoolClient): ISecret {
    const { attrClientSecret } = client.node.defaultChild as CfnUserPoolClient;
    const secret = new Secret(this, 'ClientSecret', {
      description: 'AUTH_CLIENT_SECRET of Homeport',
      secretStringValue: SecretValue.resourceAttribute(attrClientSecret),
    });
    acknowledge(secret, {
      'AwsSolutions-SMG4': 'Amazon Cognito creates the secret with the client and cannot rotate it.',
    });
    return secret;
  }
}
