import { DefaultUrlSerializer, type UrlTree } from '@angular/router';
import { exactUrl } from './exact-url';

/** The router's own URL rules, behind `exactUrl`. */
export class ExactUrlSerializer extends DefaultUrlSerializer {
  override parse(url: string): UrlTree {
    return super.parse(exactUrl(url));
  }
}
