import { DefaultUrlSerializer, type UrlTree } from '@angular/router';
import { exactUrl } from './exact-url';

/** Passes every URL through `exactUrl` before the router parses it. */
export class ExactUrlSerializer extends DefaultUrlSerializer {
  override parse(url: string): UrlTree {
    return super.parse(exactUrl(url));
  }
}
