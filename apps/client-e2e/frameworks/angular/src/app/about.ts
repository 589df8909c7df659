import { Component } from '@angular/core';

@Component({ selector: 'app-about', template: '<h1>About</h1>' })
export class About {}
