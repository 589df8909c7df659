import { describe, expect, it } from '@jest/globals';
import { parsePreviewLabel, previewLabel } from './preview-label';

const ID = '0192f0a4-7b1c-4d2e-8f3a-5b6c7d8e9f00';

describe('previewLabel', () => {
  it('contains the id of the deploy, and other labels are rejected', () => {
    expect(parsePreviewLabel(previewLabel(ID))).toBe(ID);
    for (const label of ['shop', 'pv--', 'pv--zz', `${previewLabel(ID)}0`, `x${previewLabel(ID)}`, ID]) {
      expect(parsePreviewLabel(label)).toBeUndefined();
    }
  });
});
