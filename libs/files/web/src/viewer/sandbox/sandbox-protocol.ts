/** Something a text holds in words and the sandbox draws. */
export interface DrawingRequest {
  readonly kind: 'diagram' | 'formula';
  readonly source: string;
  readonly dark: boolean;
  /** Whether a formula stands on a line of its own. */
  readonly display: boolean;
}

export type Drawing =
  | { readonly kind: 'diagram'; readonly svg: string; readonly width: number; readonly height: number }
  | { readonly kind: 'formula'; readonly mathml: string };

/** What the sandbox answers; it is foreign, so nothing about it is taken on trust. */
export type SandboxResponse =
  { readonly id: number; readonly drawing: Drawing } | { readonly id: number; readonly fault: string };

const LONGEST_FAULT = 400;
const LARGEST_SIDE = 20_000;

/** A message of the sandbox; undefined when it is none. */
export function parseSandboxResponse(data: unknown): SandboxResponse | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { id, svg, mathml, width, height, fault } = data as Readonly<Record<string, unknown>>;
  if (typeof id !== 'number') return undefined;
  if (typeof fault === 'string') return { id, fault: fault.slice(0, LONGEST_FAULT) };
  if (typeof mathml === 'string') return { id, drawing: { kind: 'formula', mathml } };
  if (typeof svg !== 'string' || !isSide(width) || !isSide(height)) return undefined;
  return { id, drawing: { kind: 'diagram', svg, width, height } };
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= LARGEST_SIDE;
}
