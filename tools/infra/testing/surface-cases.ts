import { describe, expect, it } from '@jest/globals';
import { type Container, containersOf, environmentOf } from './containers.ts';
import { programModule } from './program-modules.ts';
import { allOf, onlyOf, type Properties, type Synthesis, textOf } from './synthesis.ts';

const UNCACHED_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

function distributionOf({ resources: { Homeport } }: Synthesis) {
  return onlyOf(Homeport, 'AWS::CloudFront::Distribution').Properties['DistributionConfig'] as unknown as {
    readonly Aliases: readonly string[];
    readonly DefaultCacheBehavior: Properties;
    readonly CacheBehaviors?: unknown;
    readonly CustomErrorResponses: readonly { readonly ErrorCode: number; readonly ErrorCachingMinTTL: number }[];
    readonly Origins: readonly Properties[];
    readonly WebACLId: unknown;
    readonly ViewerCertificate: Properties;
  };
}

export function describeDistribution(synthesis: Synthesis): void {
  const distribution = distributionOf(synthesis);

  describe('the distribution', () => {
    it('serves the names of all apps with the wildcard certificate', () => {
      const { resources } = synthesis;
      expect(distribution.Aliases).toEqual(['*.homeport-apps.example']);
      expect(distribution.ViewerCertificate['MinimumProtocolVersion']).toBe('TLSv1.2_2021');
      expect(onlyOf(resources.HomeportGlobal, 'AWS::CertificateManager::Certificate').Properties).toMatchObject({
        DomainName: '*.homeport-apps.example',
        ValidationMethod: 'DNS',
      });
      const wildcards = allOf(resources.Homeport, 'AWS::Route53::RecordSet').filter(
        ({ Properties: record }) => record['Name'] === '*.homeport-apps.example.',
      );
      expect(wildcards.map(({ Properties: record }) => record['Type']).sort()).toEqual(['A', 'AAAA']);
    });

    it('caches by host, and only as long as the edge says', () => {
      const policy = onlyOf(synthesis.resources.Homeport, 'AWS::CloudFront::CachePolicy');
      const { ParametersInCacheKeyAndForwardedToOrigin: key, ...ttl } = policy.Properties[
        'CachePolicyConfig'
      ] as unknown as Record<string, { readonly HeadersConfig: { readonly Headers: readonly string[] } }>;
      expect(ttl).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 31_536_000 });
      expect(key).toMatchObject({
        CookiesConfig: { CookieBehavior: 'all' },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      });
      const headers = key?.HeadersConfig.Headers ?? [];
      // What the edge decides by, and no more than AWS allows.
      expect(headers).toEqual(
        expect.arrayContaining(['Host', 'Authorization', 'Accept', 'Sec-Fetch-Mode', 'Service-Worker']),
      );
      expect(headers.length).toBeLessThanOrEqual(10);
    });

    it('passes every method, header and cookie on, and changes no body', () => {
      expect(distribution.DefaultCacheBehavior).toMatchObject({
        AllowedMethods: expect.arrayContaining(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']),
        // The managed policy AllViewer.
        OriginRequestPolicyId: '216adef6-5c7f-47e4-b989-5492eafa07d3',
        ViewerProtocolPolicy: 'redirect-to-https',
        Compress: false,
      });
      expect(distribution.CacheBehaviors).toBeUndefined();
    });

    it('does not keep errors', () => {
      expect(distribution.CustomErrorResponses.map(({ ErrorCode }) => ErrorCode)).toEqual(UNCACHED_ERRORS);
      expect(distribution.CustomErrorResponses.filter(({ ErrorCachingMinTTL: ttl }) => ttl !== 0)).toEqual([]);
    });

    it('alone reaches the edge', () => {
      const { Homeport } = synthesis.resources;
      const origin = onlyOf(Homeport, 'AWS::CloudFront::VpcOrigin').Properties['VpcOriginEndpointConfig'] as Properties;
      expect(origin).toMatchObject({ OriginProtocolPolicy: 'https-only', HTTPSPort: 443 });
      expect(textOf(origin['Arn'])).toMatch(/^<EdgeLoadBalancer/);
      const schemes = allOf(Homeport, 'AWS::ElasticLoadBalancingV2::LoadBalancer').map(
        ({ Properties: each }) => each['Scheme'],
      );
      expect(schemes.sort()).toEqual(['internal', 'internet-facing']);
      const access = allOf(Homeport, 'AWS::EC2::SecurityGroup').find(
        ({ Properties: group }) => group['GroupDescription'] === 'CloudFront to the edge',
      );
      expect(access?.Properties['SecurityGroupIngress']).toMatchObject([{ CidrIp: '10.42.0.0/16', FromPort: 443 }]);
    });

    it('closes idle connections before the load balancer does, which could reset a request', () => {
      const origin = distribution.Origins[0]?.['VpcOriginConfig'] as Properties;
      const balancers = allOf(synthesis.resources.Homeport, 'AWS::ElasticLoadBalancingV2::LoadBalancer');
      const internal = balancers.find(({ Properties: { Scheme } }) => Scheme === 'internal');
      const attributes = internal?.Properties['LoadBalancerAttributes'] as readonly Properties[];
      const idle = attributes.find(({ Key }) => Key === 'idle_timeout.timeout_seconds')?.['Value'];
      expect(origin['OriginKeepaliveTimeout']).toBeLessThan(Number(idle));
    });

    it('stands behind a firewall, as the product does', () => {
      expect(distribution.WebACLId).toBeDefined();
      const { Homeport, HomeportGlobal } = synthesis.resources;
      expect(onlyOf(HomeportGlobal, 'AWS::WAFv2::WebACL').Properties['Scope']).toBe('CLOUDFRONT');
      const { Scope } = onlyOf(Homeport, 'AWS::WAFv2::WebACL').Properties;
      expect(Scope).toBe('REGIONAL');
      expect(textOf(onlyOf(Homeport, 'AWS::WAFv2::WebACLAssociation').Properties['ResourceArn'])).toMatch(
        /<ProductLoadBalancer/,
      );
    });

    it.each([
      ['Homeport', ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY']],
      ['HomeportGlobal', ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY']],
    ] as const)('only counts attacks in bodies that people may mention, in %s', (stack, counted) => {
      const { Rules } = onlyOf(synthesis.resources[stack], 'AWS::WAFv2::WebACL').Properties;
      const overrides = JSON.stringify(Rules).matchAll(/\{"ActionToUse":\{"Count":\{\}\},"Name":"(\w+)"\}/g);
      expect([...overrides].map(([, name]) => name).sort()).toEqual(counted);
    });

    const limitIn = (stack: 'Homeport' | 'HomeportGlobal') => {
      const { Rules } = onlyOf(synthesis.resources[stack], 'AWS::WAFv2::WebACL').Properties;
      const [, limit = '0'] = /"RateBasedStatement":\{.*?"Limit":(\d+)/.exec(JSON.stringify(Rules)) ?? [];
      return Number(limit);
    };
    const minutes = 5;

    it('stops no office at which several people work at the limit of the API', async () => {
      const { loadConfig } = await programModule('api/src/config');
      const load = loadConfig as (environment: Record<string, string>) => { RATE_LIMIT_PER_USER: number };
      const api = containersOf(synthesis.resources.Homeport).find(({ Name }) => Name === 'api') as Container;
      const ofPerson = load(environmentOf(api)).RATE_LIMIT_PER_USER * minutes;
      expect(limitIn('Homeport')).toBeGreaterThanOrEqual(4 * ofPerson);
    });

    it('stops no office of 500 people who open an app, and leaves other visitors two thirds of AWS Lambda', () => {
      const [people, filesOfPage] = [500, 70];
      expect(limitIn('HomeportGlobal')).toBeGreaterThanOrEqual(people * filesOfPage);
      // Functions of an account run 1,000 requests at once by default.
      const [concurrency, secondsOfSlowPage] = [1_000, 2.5];
      const occupied = (limitIn('HomeportGlobal') / (minutes * 60)) * secondsOfSlowPage;
      expect(occupied / concurrency).toBeCloseTo(1 / 3);
    });

    it('lets Amazon alone issue certificates', () => {
      const caa = allOf(synthesis.resources.HomeportBase, 'AWS::Route53::RecordSet').map(({ Properties: record }) => [
        textOf(record['Name']),
        record['Type'],
      ]);
      expect(caa.sort()).toEqual([
        ['homeport-apps.example.', 'CAA'],
        ['homeport.example.com.', 'CAA'],
      ]);
    });
  });
}
