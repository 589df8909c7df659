declare const HOMEPORT_BUILD: string;

/** What this build is: the one place for the product's name, build number and source. */
export const BUILD_INFO = {
  /** The app name, as the web manifest and every title show it. */
  name: 'Homeport',
  /** Set by the bundler's `define`; a run without the bundler has no number. */
  number: typeof HOMEPORT_BUILD === 'undefined' ? 'unbuilt' : HOMEPORT_BUILD,
  sourceUrl: 'https://github.com/homeport/homeport',
} as const;
