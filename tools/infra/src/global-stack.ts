import { Stack } from 'aws-cdk-lib';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IHostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { watchCertificate } from './alarms.ts';
import { AlarmTopic } from './alarm-topic.ts';
import type { BaseStackProps } from './base-stack.ts';
import { Firewall } from './firewall.ts';

export interface GlobalStackProps extends BaseStackProps {
  readonly platformZone: IHostedZone;
}

/** The wildcard certificate and the firewall of the distribution, which CloudFront takes from us-east-1 only. */
export class GlobalStack extends Stack {
  readonly certificate: ICertificate;
  readonly firewall: Firewall;

  constructor(scope: Construct, id: string, { settings, platformZone, ...props }: GlobalStackProps) {
    super(scope, id, props);
    const { platformDomain, alertEmail } = settings;
    const certificate = new Certificate(this, 'Wildcard', {
      domainName: `*.${platformDomain}`,
      validation: CertificateValidation.fromDns(platformZone),
    });
    this.certificate = certificate;
    this.firewall = new Firewall(this, 'Firewall', { scope: 'CLOUDFRONT' });
    watchCertificate(new AlarmTopic(this, 'Alerts', alertEmail), 'Wildcard', certificate);
  }
}
