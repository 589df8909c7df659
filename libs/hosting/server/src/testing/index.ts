export { bubblewrapHere } from './bubblewrap-here';
export { editedBubblewrap } from './edited-bubblewrap';
export { SITE_HOSTNAMES, siteDirectoryContract } from './site-directory.contract';
export type { SiteDirectoryHarness } from './site-directory.contract';
export { NAVIGATION_HEADERS, visit } from './visit';
export type { VisitOptions, VisitResponse } from './visit';
