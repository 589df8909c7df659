import { App, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { checkStacks } from '../src/add-stacks.ts';

/** An app with a bucket that accepts connections without TLS: its synthesis must fail. */
const app = new App({ postCliContext: { '@aws-cdk/core:validateAgainstDefaultRules': true } });
new Bucket(new Stack(app, 'Open'), 'Bucket');
checkStacks(app);
app.synth();
