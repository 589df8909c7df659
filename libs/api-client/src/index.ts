import * as operations from './generated/sdk.gen';

/** One function for each operation of the OpenAPI document; pass the `client` of a `Homeport`. */
export { operations };
export { ApiProblem, ConnectionFailed } from './api.errors';
export type { BodySource, ProgressListener, StreamSource } from './body-source';
export { downloadFile, filePath, uploadFile } from './file-transfer';
export type { Download, DownloadOptions, TransferOptions, UploadOptions } from './file-transfer';
export { Homeport } from './homeport';
export type { HomeportOptions, RawRequest, TokenProvider } from './homeport';
export { followLog } from './log';
export type { FollowOptions } from './log';
export { allItems } from './pages';
export type { Page } from './pages';
export type { RetryPolicy } from './retry-policy';
export type {
  AppBody as App,
  DeployBody as Deploy,
  DeployDetailsBody as DeployDetails,
  DomainBody as Domain,
  EnvironmentVariableBody as EnvironmentVariable,
  EstimateBody as Estimate,
  FileEntryBody as FileEntry,
  FileListingBody as FileListing,
  LogLineBody as LogLine,
  PricingStatement,
  Problem,
  RuntimeDetailsBody as RuntimeDetails,
  UploadedDeployBody as UploadedDeploy,
} from './generated/types.gen';
