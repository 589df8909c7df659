/** The textual form of a UUID. PostgreSQL raises an error for malformed ids. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
