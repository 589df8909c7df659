import type { WriteCondition } from '../../domain/conditions';

/** Where S3 endpoints differ in what a file gateway needs. */
export interface Capabilities {
  /** Whether `If-Match` of a write takes the tag in quotes, as HTTP wants it; some storages know it only without. */
  readonly quotedTags: boolean;
  /** Whether the completion of a multipart upload obeys conditions. */
  readonly conditionalCompletion: boolean;
  /** Whether a deletion obeys `If-Match`. */
  readonly conditionalDeletion: boolean;
}

/** What AWS does. */
export const FULL_CAPABILITIES: Capabilities = {
  quotedTags: true,
  conditionalCompletion: true,
  conditionalDeletion: true,
};

/** What is missing and how it is made up for, in words for the operator. */
export function limitationsOf({ quotedTags, conditionalCompletion, conditionalDeletion }: Capabilities): string[] {
  return [
    ...(quotedTags ? [] : ['takes entity tags without quotes only; they are sent so']),
    ...(conditionalCompletion
      ? []
      : [
          'ignores conditions on multipart uploads; conditional writes of a known size are sent in one piece, those ' +
            'of unknown size are checked just before they end, where two at the same moment can both succeed',
        ]),
    ...(conditionalDeletion
      ? []
      : [
          'ignores conditions on deletions; they are checked just before, where a write at the same moment can be lost',
        ]),
  ];
}

/** Both forms of the condition: the SDK's names, and those on the wire. */
export function conditionInput(
  condition: WriteCondition,
  { quotedTags }: Capabilities,
): { IfMatch?: string; IfNoneMatch?: string } {
  if (condition === undefined) return {};
  if ('absent' in condition) return { IfNoneMatch: '*' };
  return { IfMatch: quotedTags ? condition.etag : condition.etag.replaceAll('"', '') };
}

export function conditionHeaders(condition: WriteCondition, capabilities: Capabilities): Record<string, string> {
  const { IfMatch, IfNoneMatch } = conditionInput(condition, capabilities);
  return {
    ...(IfMatch === undefined ? {} : { 'If-Match': IfMatch }),
    ...(IfNoneMatch === undefined ? {} : { 'If-None-Match': IfNoneMatch }),
  };
}
