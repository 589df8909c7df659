/** The source of a diagram or formula for the sandbox to draw. */
export interface DrawingRequest {
  readonly kind: 'diagram' | 'formula';
  readonly source: string;
  readonly dark: boolean;
  /** Whether a formula is shown as a separate block. */
  readonly display: boolean;
}

export type Drawing =
  | { readonly kind: 'diagram'; readonly svg: string; readonly width: number; readonly height: number }
  | { readonly kind: 'formula'; readonly mathml: string };

/** A validated response of the sandbox, which is untrusted. */
export type SandboxResponse =
  { readonly id: number; readonly drawing: Drawing } | { readonly id: number; readonly fault: string };

const MAX_FAULT_LENGTH = 400;
const MAX_SIDE_PX = 20_000;

/** Validates a message of the sandbox; undefined when it is invalid. */
export function parseSandboxResponse(data: unknown): SandboxResponse | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { id, svg, mathml, width, height, fault } = data as Readonly<Record<string, unknown>>;
  if (typeof id !== 'number') return undefined;
  if (typeof fault === 'string') return { id, fault: fault.slice(0, MAX_FAULT_LENGTH) };
  if (typeof mathml === 'string') return { id, drawing: { kind: 'formula', mathml } };
  if (typeof svg !== 'string' || !isSide(width) || !isSide(height)) return undefined;
  return { id, drawing: { kind: 'diagram', svg, width, height } };
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= MAX_SIDE_PX;
}
