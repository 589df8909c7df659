/** The time in which the authority wants a certificate to be renewed (RFC 9773). */
export interface RenewalWindow {
  readonly start: Date;
  readonly end: Date;
}

/** Without a window: after two thirds of the lifetime. */
export function fallbackRenewal(notBefore: Date, notAfter: Date): Date {
  const lifetimeMs = notAfter.getTime() - notBefore.getTime();
  return new Date(notBefore.getTime() + Math.round((lifetimeMs * 2) / 3));
}

/** A random time of the window. @param random from 0 to below 1. */
export function renewalIn({ start, end }: RenewalWindow, random: number): Date {
  return new Date(start.getTime() + Math.floor((end.getTime() - start.getTime()) * random));
}
