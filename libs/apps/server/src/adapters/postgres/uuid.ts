/** What PostgreSQL takes for a UUID, in the one form that we give out; it would refuse anything else with an error. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
