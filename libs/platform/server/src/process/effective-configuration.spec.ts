import { describe, expect, it } from '@jest/globals';
import { effectiveConfigurationOf } from './effective-configuration';

describe('effectiveConfigurationOf', () => {
  const config = {
    PORT: 3000,
    HOST: '0.0.0.0',
    DATABASE_URL: 'postgres://app:hunter2@db:5432/homeport?sslpassword=hunter2#a',
    SESSION_KEYS: [Buffer.from('hunter2')],
    CLIENT_DIR: undefined,
    ALGORITHMS: ['RS256'],
    S3_SECRET: undefined,
  };
  const names = Object.keys(config);
  const shown = ['PORT', 'HOST', 'DATABASE_URL', 'CLIENT_DIR', 'ALGORITHMS'];
  const effective = effectiveConfigurationOf(
    config,
    { HOST: '0.0.0.0', DATABASE_URL: 'x', SESSION_KEYS: 'x', PORT: '' },
    { names, shown },
  );

  it('includes values that may be shown and only the state of the others', () => {
    expect(effective.settings).toEqual({
      PORT: 3000,
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://db:5432/homeport',
      SESSION_KEYS: '(set)',
      CLIENT_DIR: '(unset)',
      ALGORITHMS: ['RS256'],
      S3_SECRET: '(unset)',
    });
    expect(JSON.stringify(effective)).not.toContain('hunter2');
  });

  it('lists the settings that have their default', () => {
    expect(effective.defaults).toEqual(['PORT', 'ALGORITHMS']);
  });

  it('includes the versions of Node and Homeport', () => {
    expect(effective.node).toBe(process.version);
    expect(effective.homeport).toMatch(/^\d+\.\d+\.\d+/);
  });
});
