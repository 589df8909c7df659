import { describe, expect, it } from '@jest/globals';
import { archivePlan } from './archive-plan';

const picked = (...paths: string[]) => paths.map((path) => ({ path, file: new File(['1234'], 'name') }));
const paths = (list: ReturnType<typeof archivePlan>) => list.files.map(({ path }) => path);

describe('archivePlan', () => {
  it('packs a folder below one top folder', () => {
    const list = archivePlan(picked('dist/index.html', 'dist/assets/app.js', 'dist/node_modules/a/b.js'));
    expect(list).toMatchObject({ name: 'dist', ignoredFiles: [], bytes: 12, hasIndex: true });
    expect(paths(list)).toEqual(['site/index.html', 'site/assets/app.js', 'site/node_modules/a/b.js']);
  });

  it('lists the files that the server would drop', () => {
    const list = archivePlan(
      picked(
        'dist/index.html',
        'dist/.DS_Store',
        'dist/.git/HEAD',
        'dist/a/.env',
        'dist/__MACOSX/x',
        'dist/.well-known/a',
      ),
    );
    expect(paths(list)).toEqual(['site/index.html', 'site/.well-known/a']);
    expect(list.ignoredFiles).toEqual(['dist/.DS_Store', 'dist/.git/HEAD', 'dist/a/.env', 'dist/__MACOSX/x']);
  });

  it('accepts a picked folder of any name', () => {
    const list = archivePlan(picked('.output/index.html', '.output/a.css'));
    expect(list).toMatchObject({ name: '.output', ignoredFiles: [], hasIndex: true });
    expect(paths(list)).toEqual(['site/index.html', 'site/a.css']);
  });

  it('keeps the paths of several picked files', () => {
    const list = archivePlan(picked('index.html', 'assets/app.js'));
    expect(list).toMatchObject({ name: undefined, hasIndex: true });
    expect(paths(list)).toEqual(['index.html', 'assets/app.js']);
  });

  it.each([
    [['one/index.html', 'two/index.html']],
    [['one/index.html', 'oneandmore/index.html']],
    [['dist/a/index.html']],
    [['dist/Index.html']],
    [[]],
  ])('has no index page for %j', (all) => {
    expect(archivePlan(picked(...all)).hasIndex).toBe(false);
  });
});
