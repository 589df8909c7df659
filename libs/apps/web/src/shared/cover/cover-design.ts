/** The line patterns of covers. */
export const COVER_PATTERNS = ['arcs', 'grid', 'rays', 'waves'] as const;

/** The look of a generated cover. The same name always has the same one. */
export interface CoverDesign {
  /** Degrees in OKLCH. */
  readonly hue: number;
  /** The hue of the far corner, in degrees. */
  readonly secondHue: number;
  readonly pattern: (typeof COVER_PATTERNS)[number];
  /** The first letters of the first two words. */
  readonly initials: string;
}

const HUE_STEPS = 24;
const FULL_TURN = 360;

/** Designs the cover of an app. */
export function coverDesign(name: string): CoverDesign {
  const seed = hashOf(name);
  // Steps instead of degrees: two hues are either equal or clearly different.
  const hue = (seed % HUE_STEPS) * (FULL_TURN / HUE_STEPS);
  const turn = 40 + ((seed >>> 8) % 5) * 12;
  const pattern = COVER_PATTERNS[(seed >>> 16) % COVER_PATTERNS.length] ?? 'arcs';
  return { hue, secondHue: (hue + turn) % FULL_TURN, pattern, initials: initialsOf(name) };
}

function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? '');
  return letters.join('').toLocaleUpperCase('en');
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
