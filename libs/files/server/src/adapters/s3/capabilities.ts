import type { WriteCondition } from '../../domain/conditions';

/** Features of S3 that the file API uses and not every endpoint has. */
export interface Capabilities {
  /** Whether `If-Match` of a write accepts a quoted tag, as HTTP requires; some endpoints accept it only unquoted. */
  readonly quotedTags: boolean;
  /** Whether storage checks conditions when a multipart upload completes. */
  readonly conditionalCompletion: boolean;
  /** Whether storage checks `If-Match` on deletions. */
  readonly conditionalDeletion: boolean;
}

/** The capabilities of AWS. */
export const FULL_CAPABILITIES: Capabilities = {
  quotedTags: true,
  conditionalCompletion: true,
  conditionalDeletion: true,
};

/** Missing capabilities and their workarounds, as phrases for the log: "The storage …". */
export function limitationsOf({ quotedTags, conditionalCompletion, conditionalDeletion }: Capabilities): string[] {
  return [
    ...(quotedTags ? [] : ['accepts only unquoted entity tags; they are sent unquoted']),
    ...(conditionalCompletion
      ? []
      : [
          'ignores conditions on multipart uploads; conditional writes of known size are sent in one request; those ' +
            'of unknown size are checked just before completion, so two concurrent writes can both succeed',
        ]),
    ...(conditionalDeletion
      ? []
      : [
          'ignores conditions on deletions; they are checked just before a deletion, so a concurrent write can be lost',
        ]),
  ];
}

/** The condition as parameters of an SDK command. */
export function conditionInput(
  condition: WriteCondition,
  { quotedTags }: Capabilities,
): { IfMatch?: string; IfNoneMatch?: string } {
  if (condition === undefined) return {};
  if ('absent' in condition) return { IfNoneMatch: '*' };
  return { IfMatch: quotedTags ? condition.etag : condition.etag.replaceAll('"', '') };
}

/** The condition as HTTP headers. */
export function conditionHeaders(condition: WriteCondition, capabilities: Capabilities): Record<string, string> {
  const { IfMatch, IfNoneMatch } = conditionInput(condition, capabilities);
  return {
    ...(IfMatch === undefined ? {} : { 'If-Match': IfMatch }),
    ...(IfNoneMatch === undefined ? {} : { 'If-None-Match': IfNoneMatch }),
  };
}
