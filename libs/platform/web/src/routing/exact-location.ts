import { Location } from '@angular/common';
import { Injectable } from '@angular/core';

/** `Location` cuts a trailing `/index.html` off every URL; a file of that name must keep its address. */
@Injectable()
export class ExactLocation extends Location {
  override normalize(url: string): string {
    return Location.stripTrailingSlash(url);
  }
}
