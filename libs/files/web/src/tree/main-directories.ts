/** The directories that the start page shows, also while they are empty. */
export const MAIN_DIRECTORIES = ['threads', 'social-drafts', 'reports', 'knowledge'] as const;
