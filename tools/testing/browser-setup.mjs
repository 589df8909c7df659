// Playwright's global set-up: starts the built product on embedded services for one run,
// with https as `npm start` offers it.
import { startProduct } from './global-setup.mjs';

export default function start() {
  return startProduct({ withCeph: false, withTls: true });
}
