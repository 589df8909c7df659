/** Runs one statement and returns its rows. @throws {DatabaseUnavailable} */
export type Query = <Row>(text: string, values?: unknown[]) => Promise<readonly Row[]>;
