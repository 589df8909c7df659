import { inject } from '@angular/core';
import { type NavigationError, RedirectCommand, Router } from '@angular/router';

/** A page whose code did not arrive: says so at the address that was asked for, instead of staying blank. */
export function redirectToUnavailable({ url }: NavigationError): RedirectCommand {
  return new RedirectCommand(inject(Router).parseUrl('/unavailable'), { skipLocationChange: true, state: { url } });
}
