import { Duration } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { VpcOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { ApplicationLoadBalancer } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/**
 * CloudFront ignores `Vary`, so each field that a response may depend on is part of the key: those that the edge
 * decides by, and those in which frameworks send other forms of a page at the same address. Ten is the limit of AWS.
 */
export const KEY_HEADERS = [
  'Host',
  'Authorization',
  'Accept',
  'Sec-Fetch-Mode',
  'Service-Worker',
  'Origin',
  'Accept-Language',
  'RSC',
  'Next-Router-State-Tree',
  'Next-Router-Prefetch',
];

/** CloudFront would keep these for 10 seconds, also when the edge does not allow it. */
export const UNCACHED_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

export interface AppDistributionProps {
  readonly platformDomain: string;
  readonly certificate: ICertificate;
  readonly firewallArn: string;
  /** Internal: CloudFront alone reaches it, through a VPC origin. */
  readonly loadBalancer: ApplicationLoadBalancer;
  readonly logs: IBucket;
}

/** The one distribution of all apps. It caches as long as the edge allows, keyed by host. */
export class AppDistribution extends Distribution {
  constructor(scope: Construct, id: string, props: AppDistributionProps) {
    super(scope, id, {
      comment: 'Apps of Homeport',
      domainNames: [`*.${props.platformDomain}`],
      certificate: props.certificate,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      webAclId: props.firewallArn,
      logBucket: props.logs,
      logFilePrefix: 'cloudfront/',
      defaultBehavior: {
        origin: VpcOrigin.withApplicationLoadBalancer(props.loadBalancer, {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          httpsPort: 443,
          // Below the 60 seconds after which the load balancer closes idle connections.
          keepaliveTimeout: Duration.seconds(55),
          readTimeout: Duration.seconds(60),
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: hostKeyed(scope),
        // All headers, `Host` included, all cookies and the whole query reach the edge.
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER,
        // The edge compresses; another compression would weaken its ETags.
        compress: false,
      },
      errorResponses: UNCACHED_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    acknowledge(this, {
      'AwsSolutions-CFR1': 'Apps are public, and their owners decide which countries may visit them.',
    });
  }
}

function hostKeyed(scope: Construct): CachePolicy {
  return new CachePolicy(scope, 'HostKeyed', {
    comment: 'Keyed by host; the edge decides how long',
    // Without a statement of the edge nothing is kept.
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.days(365),
    headerBehavior: CacheHeaderBehavior.allowList(...KEY_HEADERS),
    queryStringBehavior: CacheQueryStringBehavior.all(),
    // A server may answer each visitor differently, and `Vary: Cookie` has no effect here.
    cookieBehavior: CacheCookieBehavior.all(),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  });
}
