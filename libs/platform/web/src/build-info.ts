declare const HOMEPORT_BUILD: string;

/** Product name, build number and source URL. */
export const BUILD_INFO = {
  /** The product name, as in the web manifest and in every title. */
  name: 'Homeport',
  /** Set by the bundler's `define`; `unbuilt` without the bundler. */
  number: typeof HOMEPORT_BUILD === 'undefined' ? 'unbuilt' : HOMEPORT_BUILD,
  sourceUrl: 'https://github.com/homeport/homeport',
} as const;
