/** Deploys of an app as the API returns them, with fixed values. */

const HOUR = 3_600_000;

/** @param hours age relative to `now`. */
const deploy = (now: Date, id: number, hours: number, more: object) => {
  const created = new Date(now.getTime() - hours * HOUR).toISOString();
  const uuid = `00000000-0000-4000-8000-0000000001${String(id).padStart(2, '0')}`;
  return {
    id: uuid,
    app_id: '00000000-0000-4000-8000-000000000003',
    number: id,
    status: 'ready',
    file_count: 218,
    total_bytes: 4_812_000,
    url: `http://old-shop--${uuid.slice(-8)}.apps.localhost:8080`,
    alias_url: null,
    created_at: created,
    ready_at: created,
    archived_at: null,
    first_live_at: created,
    held_back: false,
    created_by: 'Dora Lind',
    source: { branch: null, commit: null, message: 'site.zip', url: null },
    problem_count: 0,
    ...more,
  };
};

const PIPELINE = {
  branch: 'main',
  commit: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  message: 'Correct the prices of the winter catalogue and the shipping costs',
  url: 'https://ci.example.com/runs/512',
};

const ALIAS = 'http://pv--main--old-shop.apps.localhost:8080';

const NOT_THERE = { file_count: 0, total_bytes: 0, ready_at: null, first_live_at: null };

export const deploysAt = (now: Date) => [
  deploy(now, 9, 0.02, { ...NOT_THERE, status: 'processing', created_by: 'Ben Okafor' }),
  deploy(now, 8, 2, { file_count: 224, total_bytes: 5_120_400, problem_count: 3, source: PIPELINE, alias_url: ALIAS }),
  deploy(now, 7, 3, {
    ...NOT_THERE,
    status: 'failed',
    problem_count: 14,
    error: { code: 'rejected', message: 'The archive has entries that cannot be deployed.' },
  }),
  deploy(now, 6, 26, { created_by: 'Ada Lovelace', source: null }),
  deploy(now, 5, 170, {
    created_by: 'Ben Okafor',
    file_count: 1,
    total_bytes: 812,
    first_live_at: null,
    held_back: true,
  }),
  deploy(now, 4, 900, { status: 'archived', archived_at: new Date(now.getTime() - HOUR).toISOString() }),
];

export const PROBLEMS = [
  { path: '_redirects', line: 3, reason: 'The status must be 200, 301, 302, 303, 307, 308 or 404.' },
  { path: '_redirects', line: 12, reason: 'The rule never applies: line 4 takes everything before it.' },
  { path: '_headers', line: 7, reason: 'A header has a name, a colon and a value.' },
];

/** The problem of a site whose address shows nothing. */
export const NO_START_PAGE = { path: 'index.html', line: null, reason: 'There is no index.html at the top.' };

export const SITE_FILES = [
  { path: '404.html', size: 1_204, content_type: 'text/html', digest: `sha-256:${'0'.repeat(64)}` },
  {
    path: 'assets/main-5KQ7ZP2A.js',
    size: 148_204,
    content_type: 'text/javascript',
    digest: `sha-256:${'1'.repeat(64)}`,
  },
  { path: 'index.html', size: 2_204, content_type: 'text/html', digest: `sha-256:${'2'.repeat(64)}` },
];

/** The API's rejection of an archive with a path outside the site. */
export const REJECTED = {
  type: 'about:blank',
  title: 'Archive rejected',
  status: 422,
  detail: 'The archive has entries that cannot be deployed. Nothing was changed.',
  code: 'apps.archive-rejected',
  request_id: 'req-e2e-1',
  errors: Array.from({ length: 14 }, (_, index) => ({
    field: index === 0 ? '../../etc/passwd' : `assets/theme/linked-picture-${index}.png`,
    reason: index === 0 ? 'The path leads out of the archive.' : 'Links cannot be deployed.',
  })),
};
