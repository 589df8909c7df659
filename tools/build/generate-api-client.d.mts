/** @param path target folder; its content is replaced. */
export function generateApiClient(path: string): Promise<void>;
