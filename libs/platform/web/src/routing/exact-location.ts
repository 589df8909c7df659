import { Location } from '@angular/common';
import { Injectable } from '@angular/core';

/** Angular's `Location` removes a trailing `/index.html` from every URL; a file of that name must keep its URL. */
@Injectable()
export class ExactLocation extends Location {
  override normalize(url: string): string {
    return Location.stripTrailingSlash(url);
  }
}
