interface Target {
  readonly baseUrl: string;
  readonly token: string;
  readonly folder: string;
}

export function transferFiles(api: unknown, target: Target): Promise<unknown>;
export const EXPECTED: Readonly<Record<string, unknown>>;
