export { parseHeaders } from './header-rules';
export type { Header } from './header-rules';
export { SiteHostnames } from './site-hostnames';
export { parsePreviewLabel, previewLabel } from './preview-label';
export { parseRedirects } from './redirect-rules';
export type { Redirect } from './redirect-rules';
export { MAX_PATH_BYTES, commonFolder, findPathConflicts, parseEntryName } from './site-path';
export { NO_RULES, compileRules, isRuleFile } from './site-rules';
export type { CompiledRules, SiteRules } from './site-rules';
