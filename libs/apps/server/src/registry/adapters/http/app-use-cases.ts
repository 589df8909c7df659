import type { AppCatalog } from '../../application/app-catalog';
import type { DeleteApp } from '../../application/delete-app';
import type { RegisterAppOnce } from '../../application/register-app-once';
import type { RetryDns } from '../../application/retry-dns';

/** The use cases behind the routes of apps. */
export class AppUseCases {
  constructor(
    readonly catalog: AppCatalog,
    readonly registerApp: RegisterAppOnce,
    readonly deleteApp: DeleteApp,
    readonly retryDns: RetryDns,
  ) {}
}
