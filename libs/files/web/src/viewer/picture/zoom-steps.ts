/** The offered sizes, relative to the actual size. */
const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8] as const;
export const MAX_ZOOM = 8;
export const MIN_ZOOM = 0.1;

/** The next step above (`by` = 1) or below (`by` = -1) a zoom, which can lie between two steps. */
export function nextZoom(zoom: number, by: 1 | -1): number {
  return by === 1
    ? (STEPS.find((step) => step > zoom * 1.01) ?? MAX_ZOOM)
    : (STEPS.findLast((step) => step < zoom * 0.99) ?? MIN_ZOOM);
}
