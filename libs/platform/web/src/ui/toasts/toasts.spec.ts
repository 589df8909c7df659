// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { DestroyRef, DOCUMENT, Injector } from '@angular/core';
import { beforeEach, expect, it } from '@jest/globals';
import { Toasts } from './toasts';

const document = { visibilityState: 'hidden', addEventListener: () => undefined, removeEventListener: () => undefined };
let toasts: Toasts;
let undone: string[];

beforeEach(() => {
  const injector = Injector.create({
    providers: [
      { provide: Toasts, useClass: Toasts, deps: [] },
      { provide: DOCUMENT, useValue: document },
      { provide: DestroyRef, useValue: { onDestroy: () => undefined } },
    ],
  });
  toasts = injector.get(Toasts);
  undone = [];
});

it('undoes the newest action first, and each action once', async () => {
  const first = toasts.showUndo('Moved a.md', () => undone.push('a'));
  toasts.showUndo('Moved b.md', () => undone.push('b'));
  toasts.show('The file has changed.', { label: 'Reload', run: () => undone.push('reload') });
  expect([toasts.undo(), toasts.undo(), toasts.undo()]).toEqual([true, true, false]);
  expect(undone).toEqual(['b', 'a']);
  await expect(first.ended).resolves.toBe('action');
  expect(toasts.list().map(({ text }) => text)).toEqual(['The file has changed.']);
});

it('undoes nothing after the message has closed', () => {
  toasts.showUndo('Moved a.md', () => undone.push('a')).close();
  expect(toasts.undo()).toBe(false);
  expect(undone).toEqual([]);
});
