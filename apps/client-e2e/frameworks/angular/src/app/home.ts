import { Component, inject, makeStateKey, signal, TransferState } from '@angular/core';
import { ActivatedRoute, RouterLink } from '@angular/router';

const TIME = makeStateKey<string>('time');

/** The browser shows the time at which the server rendered the page. */
function renderTime(): string {
  const state = inject(TransferState);
  if (!state.hasKey(TIME)) state.set(TIME, new Date().toISOString());
  return state.get(TIME, '');
}

@Component({
  selector: 'app-home',
  imports: [RouterLink],
  template: `
    <h1>Hello from Angular</h1>
    <p>
      Rendered at <time>{{ time }}</time>
    </p>
    <button type="button" (click)="click()">Clicked {{ clicks() }} times</button>
    <form method="post" action="/greet">
      <label>Name <input name="name" /></label>
      <button>Greet</button>
    </form>
    @if (name) {
      <p>Hello, {{ name }}!</p>
    }
    <a routerLink="/about">About</a>
  `,
})
export class Home {
  protected readonly time = renderTime();
  protected readonly name = inject(ActivatedRoute).snapshot.queryParamMap.get('name');
  protected readonly clicks = signal(0);

  protected click(): void {
    this.clicks.update((count) => count + 1);
  }
}
