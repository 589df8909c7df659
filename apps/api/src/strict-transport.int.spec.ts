import { expect, it } from '@jest/globals';
import { startInProcessApi } from './testing/in-process-api';

const PATHS = ['/v1/pricing', '/health/live', '/api/apps', '/auth/session', '/docs', '/none'];

it.each([
  ['https://homeport.example', 'max-age=31536000'],
  ['http://localhost:3000', null],
  ['', null],
])('with the address "%s", responses have Strict-Transport-Security %s', async (PUBLIC_URL, expected) => {
  const api = await startInProcessApi({ PUBLIC_URL });
  try {
    for (const path of PATHS) {
      const response = await fetch(api.url + path, { redirect: 'manual' });
      await response.arrayBuffer();
      expect([path, response.headers.get('strict-transport-security')]).toEqual([path, expected]);
    }
  } finally {
    await api.stop();
  }
});
