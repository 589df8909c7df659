import TestSequencer from '@jest/test-sequencer';

/** The projects of jest.config.mjs, from those with the longest files to those with the shortest. */
const TIERS = ['api-e2e', 'cli-e2e', 'integration', 'unit'];

/**
 * Starts files of slow tiers first, so that no worker runs a long file while the other one has nothing left to do.
 * Files whose duration Jest knows from an earlier run keep Jest's order, the longest first. A fresh clone has none.
 */
export default class SlowTiersFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ duration, context }) {
  return duration === undefined ? TIERS.indexOf(context.config.displayName.name) : TIERS.length;
}
