// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { siteArchive } from './site-archive';

const LARGE = 'export const much = true;\n'.repeat(40_000);
const files = [
  { path: 'site/index.html', file: new File(['<h1>ä</h1>'], 'index.html') },
  { path: 'site/empty.css', file: new File([], 'empty.css') },
  { path: 'site/größe/main.js', file: new File([LARGE], 'main.js') },
  { path: 'site/logo.png', file: new File([LARGE], 'logo.png') },
];

function packing() {
  const told: number[] = [];
  const stop = new AbortController();
  return { told, stop, packed: (count: number) => void told.push(count), mostBytes: Infinity, signal: stop.signal };
}

describe('siteArchive', () => {
  it('packs every file under its path and reports the progress', async () => {
    const { told, ...rest } = packing();
    const archive = await siteArchive(files, rest);
    const unpacked = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    const texts = Object.entries(unpacked).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
    expect(texts).toEqual([
      ['site/index.html', '<h1>ä</h1>'],
      ['site/empty.css', ''],
      ['site/größe/main.js', LARGE],
      ['site/logo.png', LARGE],
    ]);
    expect(told).toEqual([1, 2, 3, 4]);
    // Compressed formats are stored unchanged.
    expect(archive.size).toBeGreaterThan(LARGE.length);
    expect(archive.size).toBeLessThan(LARGE.length * 1.1);
  });

  it('stops when it is aborted', async () => {
    const { told, stop, ...rest } = packing();
    stop.abort(new Error('enough'));
    await expect(siteArchive(files, rest)).rejects.toThrow('enough');
    expect(told).toEqual([]);
  });

  it('stops when the archive exceeds the limit', async () => {
    await expect(siteArchive(files, { ...packing(), mostBytes: 1_000 })).rejects.toMatchObject({
      code: 'client.deploy-too-large',
    });
  });

  it('names the file that can no longer be read', async () => {
    const file = new File(['x'], 'gone.html');
    Object.defineProperty(file, 'slice', { value: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }) });
    await expect(siteArchive([{ path: 'gone.html', file }], packing())).rejects.toMatchObject({
      code: 'client.deploy-unreadable',
      detail: expect.stringContaining('gone.html'),
    });
  });
});
