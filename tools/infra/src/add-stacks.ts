import { type App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { BaseStack } from './base-stack.ts';
import { GlobalStack } from './global-stack.ts';
import { HomeportStack } from './homeport-stack.ts';
import type { Settings } from './settings.ts';

/** CloudFront takes certificates and firewalls from this region only. */
const GLOBAL_REGION = 'us-east-1';

/** Adds the three stacks of an installation, in the order of their deployment. */
export function addStacks(app: App, settings: Settings, databaseCa: string): void {
  const { account, region } = settings;
  const shared = { settings, crossRegionReferences: true };
  const base = new BaseStack(app, 'HomeportBase', { ...shared, env: { account, region } });
  const global = new GlobalStack(app, 'HomeportGlobal', {
    ...shared,
    env: { account, region: GLOBAL_REGION },
    platformZone: base.platformZone,
  });
  new HomeportStack(app, 'Homeport', { ...shared, env: { account, region }, base, global, databaseCa });
  Tags.of(app).add('application', 'homeport');
}

/** Findings of cdk-nag without a reason stop the synthesis. */
export function checkStacks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
