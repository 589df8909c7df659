import { REVISION_SCOPES } from '@homeport/hosting/contracts';
import type { Revision } from '../../domain/revision';

const PREFIX = 'homeport-';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const FUNCTION = new RegExp(`^${PREFIX}(?<appId>${UUID})$`);
const ALIAS = new RegExp(`^(?<scope>${REVISION_SCOPES.join('|')})-(?<deployId>${UUID})-(?<version>[0-9]+)$`);

/** An alias of a function, which leads to one version. */
export interface LambdaName {
  readonly FunctionName: string;
  readonly Name: string;
}

/** The names that several runtimes agree on without talking to each other. */
export function lambdaNameOf(appId: string, { deployId, version, scope }: Revision): LambdaName {
  return { FunctionName: `${PREFIX}${appId}`, Name: `${scope}-${deployId}-${version}` };
}

/** Whether a function runs an app. */
export function isLambdaName({ FunctionName }: Pick<LambdaName, 'FunctionName'>): boolean {
  return FUNCTION.test(FunctionName);
}

/** @returns undefined for a name that a runtime does not give. */
export function revisionOf({ FunctionName, Name }: LambdaName): { appId: string; revision: Revision } | undefined {
  const { appId } = FUNCTION.exec(FunctionName)?.groups ?? {};
  const { scope, deployId, version } = ALIAS.exec(Name)?.groups ?? {};
  const known = REVISION_SCOPES.find((each) => each === scope);
  if (appId === undefined || deployId === undefined || !known) return undefined;
  return { appId, revision: { deployId, version: Number(version), scope: known } };
}
