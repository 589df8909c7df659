import { tmpdir } from 'node:os';
import { expect, it } from '@jest/globals';
import { runCommand } from '../testing/run-command';

it('rejects two values of a claim, of which a trust would require the last one only', async () => {
  const claims = [
    '--claim',
    'repository=acme/shop',
    '--claim',
    'ref=refs/heads/main',
    '--claim',
    'ref=refs/heads/next',
  ];
  const args = ['trusts', 'create', 'my-shop', '--issuer', 'github', ...claims];
  const { code, stderr } = await runCommand(args, tmpdir());
  expect([code, stderr]).toEqual([2, expect.stringContaining('The claim "ref" is named twice.')]);
});
