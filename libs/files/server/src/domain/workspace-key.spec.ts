import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { FilePathRejected } from './files.errors';
import { pathIn, workspaceKey, workspacePrefix, workspaceRoot } from './workspace-key';

const ada = { issuer: 'https://issuer.example', subject: 'ada' };

describe('workspaceRoot', () => {
  it('is the hash of issuer and subject', () => {
    const digest = createHash('sha256').update('https://issuer.example\nada').digest('base64url');
    expect(workspaceRoot(ada)).toBe(`u/${digest}/`);
  });

  it('differs when issuer or subject differ', () => {
    const roots = [
      ada,
      { ...ada, subject: 'ada ' },
      { ...ada, subject: 'Ada' },
      { ...ada, subject: 'ada/' },
      { ...ada, subject: '../ada' },
      { ...ada, issuer: 'https://issuer.example/' },
      { issuer: 'https://issuer.example/a', subject: 'da' },
    ].map(workspaceRoot);
    expect(new Set(roots).size).toBe(roots.length);
  });

  it('is never a prefix of another root, for all subjects', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        fc.pre(one !== other && one.isWellFormed() && other.isWellFormed());
        const a = workspaceRoot({ ...ada, subject: one });
        const b = workspaceRoot({ ...ada, subject: other });
        expect(a.startsWith(b) || b.startsWith(a)).toBe(false);
        expect(a).toMatch(/^u\/[\w-]{43}\/$/);
      }),
    );
  });
});

describe('workspaceKey', () => {
  const root = workspaceRoot(ada);

  it('is in the user’s prefix', () => {
    expect(workspaceKey(root, 'threads/a%20b.md')).toBe(`${root}threads/a b.md`);
    expect(pathIn(root, workspaceKey(root, 'threads/a.md'))).toBe('threads/a.md');
  });

  it.each(['', '..', '../x', 'a/../../x', '%2e%2e/x', '..%2fx', '/x', '//x', '.', 'a%00', 'a\\..\\b', '%ff'])(
    'rejects %j',
    (raw) => {
      expect(() => workspaceKey(root, raw)).toThrow(FilePathRejected);
    },
  );

  it('is in the user’s prefix or rejected, for all paths', () => {
    const token = fc.oneof(
      fc.constantFrom('..', '.', '/', '\\', '%2e', '%2F', '%5c', '%00', '%', '%25', 'a', 'ü', '\u202e', '\0'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
        let key: string;
        try {
          key = workspaceKey(root, tokens.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(FilePathRejected);
          return;
        }
        expect(key.startsWith(root)).toBe(true);
        const path = key.slice(root.length);
        expect(path).not.toBe('');
        for (const segment of path.split('/')) expect(['', '.', '..']).not.toContain(segment);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('workspacePrefix', () => {
  const root = workspaceRoot(ada);

  it('is in the user’s prefix or equal to it', () => {
    expect(workspacePrefix(root, '')).toBe(root);
    expect(workspacePrefix(root, 'thr')).toBe(`${root}thr`);
    expect(workspacePrefix(root, 'threads/')).toBe(`${root}threads/`);
  });

  it.each(['..', '../', '/', 'a/../', '\\', '\u0000'])('rejects %j', (prefix) => {
    expect(() => workspacePrefix(root, prefix)).toThrow(FilePathRejected);
  });
});
