/** Whether a claim shows apps: verified ones that lead here, and do not redirect. `appDomainsOf` is the same rule. */
export const IS_SHOWING = `verified_at is not null and suspended_at is null and released_at is null
  and routing = 'here' and redirect_to is null`;
