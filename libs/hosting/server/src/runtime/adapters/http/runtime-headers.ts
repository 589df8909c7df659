/** The edge names the revision of a request in these header fields. */
export const DEPLOY_HEADER = 'x-homeport-deploy';
export const VERSION_HEADER = 'x-homeport-version';
export const SCOPE_HEADER = 'x-homeport-scope';

/** The runtime tells the edge in this field why the app did not respond. */
export const FAILURE_HEADER = 'x-homeport-runtime';

/** Whether a field belongs to the connection between edge and runtime. Visitors and apps cannot send such fields. */
export function isRuntimeHeader(name: string): boolean {
  return name.startsWith('x-homeport-');
}
