import { inject } from '@angular/core';
import { type NavigationError, RedirectCommand, Router } from '@angular/router';

/** Shows an error page at the requested URL when the code of a page cannot be loaded. */
export function redirectToUnavailable({ url }: NavigationError): RedirectCommand {
  return new RedirectCommand(inject(Router).parseUrl('/unavailable'), { skipLocationChange: true, state: { url } });
}
