import { describe, expect, it } from '@jest/globals';
import { readSettings } from './settings.ts';

const KEYS = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

describe('readSettings', () => {
  it('has a default for every setting when run standalone', () => {
    expect(readSettings({}, false)).toEqual({
      dataDir: '.data',
      port: 0,
      bucket: 'homeport-files',
      credentials: undefined,
    });
  });

  it('reads the settings', () => {
    const env = { ...KEYS, DATA_DIR: '/d', S3_PORT: '9000', S3_BUCKET: 'b' };
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    expect(readSettings(env, true)).toEqual({ dataDir: '/d', port: 9000, bucket: 'b', credentials });
  });

  it.each([
    ['a supervisor without keys', {}, true, /S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are required/],
    ['half a key pair', { S3_ACCESS_KEY_ID: 'id' }, false, /go together/],
    ['an invalid port', { S3_PORT: 'x' }, false, /S3_PORT/],
    ['a port too high', { S3_PORT: '65536' }, false, /S3_PORT/],
  ])('refuses %s', (_, env, supervised, message) => {
    expect(() => readSettings(env, supervised)).toThrow(message);
  });
});
