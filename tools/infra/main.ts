import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addStacks, checkStacks } from './src/add-stacks.ts';
import { parseSettings } from './src/settings.ts';

const FLAGS = {
  // Resources that do not match the schemas of CloudFormation stop the synthesis.
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/aws-s3:serverAccessLogsUseBucketPolicy': true,
};

/** Synthesises the stacks for the settings in the file that the context value `settings` names. */
const app = new App({ postCliContext: FLAGS });
const file = resolve((app.node.tryGetContext('settings') as string | undefined) ?? 'homeport.json');
const settings = parseSettings(readFileSync(file, 'utf8'));
const databaseCa = readFileSync(resolve(dirname(file), settings.databaseCaFile), 'utf8');
addStacks(app, settings, databaseCa);
checkStacks(app);
app.synth();
