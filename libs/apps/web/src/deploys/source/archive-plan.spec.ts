import { describe, expect, it } from '@jest/globals';
import { archivePlan } from './archive-plan';

const picked = (...paths: string[]) => paths.map((path) => ({ path, file: new File(['1234'], 'name') }));
const paths = (list: ReturnType<typeof archivePlan>) => list.files.map(({ path }) => path);

describe('archivePlan', () => {
  it('takes everything in a folder below one top folder', () => {
    const list = archivePlan(picked('dist/index.html', 'dist/assets/app.js', 'dist/node_modules/a/b.js'));
    expect(list).toMatchObject({ name: 'dist', ignoredFiles: [], bytes: 12, hasIndex: true });
    expect(paths(list)).toEqual(['site/index.html', 'site/assets/app.js', 'site/node_modules/a/b.js']);
  });

  it('says what it leaves out, which is what the server drops', () => {
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

  it('takes a folder that was picked whatever its name', () => {
    const list = archivePlan(picked('.output/index.html', '.output/a.css'));
    expect(list).toMatchObject({ name: '.output', ignoredFiles: [], hasIndex: true });
    expect(paths(list)).toEqual(['site/index.html', 'site/a.css']);
  });

  it('takes several files as they are', () => {
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
  ])('finds no page at the address in %j', (all) => {
    expect(archivePlan(picked(...all)).hasIndex).toBe(false);
  });
});
