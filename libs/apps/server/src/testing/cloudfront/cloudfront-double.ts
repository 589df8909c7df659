import type { DistributionTenant, ManagedCertificateStatus } from '@aws-sdk/client-cloudfront';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CloudFrontOperation, type CloudFrontRequest, type CloudFrontResponse, wire } from './cloudfront-wire';

interface Tenant {
  facts: DistributionTenant;
  version: string;
  certificate: ManagedCertificateStatus;
  certificateArn: string;
  /** Whether its last change is served everywhere. */
  isDeployed: boolean;
}

/** An error of CloudFront. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

const PAGE_SIZE = 2;
const notFound = () => new Refused(404, 'EntityNotFound');

/** A test double of the distribution tenants of CloudFront, over HTTP. Tests decide when AWS validates and deploys. */
export class CloudFrontDouble {
  readonly calls: CloudFrontOperation[] = [];
  /** Answers of the next calls instead of the right ones: a code with its status, or a closed connection. */
  readonly faults: (readonly [status: number, code: string] | 'reset')[] = [];
  /** Whether CloudFront presents an issued certificate without an update. */
  attachesCertificates = false;
  readonly #tenants = new Map<string, Tenant>();
  readonly #server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = this.#answer(wire.read(request, body));
      if (!answer) return void response.destroy();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** By name. */
  get tenants(): ReadonlyMap<string, DistributionTenant> {
    return new Map([...this.#tenants].map(([name, { facts }]) => [name, facts]));
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** AWS ends the validation of all domains. */
  validate(status: ManagedCertificateStatus): void {
    for (const tenant of this.#tenants.values()) {
      tenant.certificate = status;
      if (status === 'issued' && this.attachesCertificates) attach(tenant, tenant.certificateArn);
    }
  }

  /** The last changes are served everywhere. */
  deploy(): void {
    for (const tenant of this.#tenants.values()) {
      tenant.isDeployed = true;
      const isPresented = tenant.facts.Customizations?.Certificate?.Arn === tenant.certificateArn;
      const status = isPresented && tenant.certificate === 'issued' ? 'active' : 'inactive';
      const domains = (tenant.facts.Domains ?? []).map(({ Domain }) => ({ Domain, Status: status }) as const);
      tenant.facts = { ...tenant.facts, Domains: domains, Status: 'Deployed' };
    }
  }

  #answer(request: CloudFrontRequest | undefined): CloudFrontResponse | undefined {
    if (!request) return wire.writeError(400, 'InvalidArgument', 'unknown to the double');
    this.calls.push(request.operation);
    const fault = this.faults.shift();
    if (fault === 'reset') return undefined;
    if (fault) return wire.writeError(fault[0], fault[1], 'planned');
    try {
      return wire.write(request.operation, this.#outputOf(request));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return wire.writeError(error.status, error.code, 'refused');
    }
  }

  #outputOf({ operation, input }: CloudFrontRequest): Readonly<Record<string, unknown>> {
    switch (operation) {
      case 'CreateDistributionTenant':
        return this.#create(input as DistributionTenant);
      case 'GetDistributionTenant':
        return shown(this.#find(input['Identifier']));
      case 'GetManagedCertificateDetails': {
        const { certificate, certificateArn } = this.#find(input['Identifier']);
        return { ManagedCertificateDetails: { CertificateArn: certificateArn, CertificateStatus: certificate } };
      }
      case 'ListDistributionTenants': {
        const from = Number(input['Marker'] ?? 0);
        const all = [...this.#tenants.values()].map(({ facts }) => facts);
        const more = from + PAGE_SIZE < all.length ? { NextMarker: String(from + PAGE_SIZE) } : {};
        return { DistributionTenantList: all.slice(from, from + PAGE_SIZE), ...more };
      }
      case 'UpdateDistributionTenant':
        return this.#update(input as DistributionTenant & { readonly IfMatch?: string });
      case 'DeleteDistributionTenant': {
        const tenant = this.#find(input['Id']);
        if (tenant.version !== input['IfMatch']) throw new Refused(412, 'PreconditionFailed');
        if (tenant.facts.Enabled || !tenant.isDeployed) throw new Refused(409, 'ResourceNotDisabled');
        this.#tenants.delete(tenant.facts.Name ?? '');
        return {};
      }
    }
  }

  #create({ Name = '', Domains = [], ...facts }: DistributionTenant) {
    if (this.#tenants.has(Name)) throw new Refused(409, 'EntityAlreadyExists');
    const taken = [...this.#tenants.values()].flatMap((each) => each.facts.Domains?.map(({ Domain }) => Domain) ?? []);
    if (Domains.some(({ Domain }) => taken.includes(Domain))) throw new Refused(409, 'CNAMEAlreadyExists');
    const id = `dt_${randomUUID()}`;
    const domains = Domains.map(({ Domain }) => ({ Domain, Status: 'inactive' }) as const);
    const tenant: Tenant = {
      facts: {
        ...facts,
        Id: id,
        Arn: `arn:${id}`,
        Name,
        Domains: domains,
        Status: 'InProgress',
        CreatedTime: new Date(),
      },
      version: randomUUID(),
      certificate: 'pending-validation',
      certificateArn: `arn:aws:acm:us-east-1:1:certificate/${id}`,
      isDeployed: false,
    };
    this.#tenants.set(Name, tenant);
    return shown(tenant);
  }

  #update({ Id, IfMatch, Enabled, Customizations, ...more }: DistributionTenant & { readonly IfMatch?: string }) {
    const tenant = this.#find(Id);
    if (tenant.version !== IfMatch) throw new Refused(412, 'PreconditionFailed');
    if ('ManagedCertificateRequest' in more) tenant.certificate = 'pending-validation';
    tenant.facts = { ...tenant.facts, Enabled, Customizations, Status: 'InProgress' };
    tenant.version = randomUUID();
    tenant.isDeployed = false;
    return shown(tenant);
  }

  /** @param identifier the id or the name. */
  #find(identifier: unknown): Tenant {
    const found = [...this.#tenants.values()].find(({ facts }) => facts.Id === identifier || facts.Name === identifier);
    if (!found) throw notFound();
    return found;
  }
}

function attach(tenant: Tenant, arn: string): void {
  tenant.facts = { ...tenant.facts, Customizations: { ...tenant.facts.Customizations, Certificate: { Arn: arn } } };
  tenant.version = randomUUID();
}

function shown({ facts, version }: Tenant) {
  return { DistributionTenant: facts, ETag: version };
}
