import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const XML = '<?xml version="1.0"?>\n';
const NAMESPACE = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';

/** Enough of Route 53 over HTTP to hold the adapter to its rules: atomic CREATE, exact DELETE, listing from a name. */
export class Route53Double {
  /** Targets by absolute name, such as `shop.apps.example.com.`. */
  readonly records = new Map<string, string>();
  /** The next answers, instead of what the zone would say: an error code, or `hang`. */
  readonly faults: string[] = [];
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const fault = this.faults.shift();
    if (fault === 'hang') return;
    if (fault !== undefined) return refuse(response, fault);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://double');
    if (!/^\/2013-04-01\/hostedzone\/Z1\/rrset\/?$/.test(pathname)) return refuse(response, 'NoSuchHostedZone', 404);
    if (request.method === 'GET') return send(response, this.#listing(searchParams.get('name') ?? ''));
    return this.#change(body) ? send(response, CHANGED) : refuse(response, 'InvalidChangeBatch');
  }

  #change(body: string): boolean {
    const value = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(body)?.[1] ?? '';
    const name = absolute(value('Name'));
    const target = value('Value');
    if (value('Action') === 'CREATE') {
      if (this.records.has(name)) return false;
      this.records.set(name, target);
      return true;
    }
    return this.records.get(name) === target && value('TTL') === '60' && this.records.delete(name);
  }

  #listing(from: string): string {
    const key = (name: string) => absolute(name).split('.').toReversed().join('.');
    const [first] = [...this.records.keys()].toSorted().filter((name) => key(name) >= key(from));
    const record =
      first === undefined
        ? ''
        : `<ResourceRecordSet><Name>${first}</Name><Type>CNAME</Type><TTL>60</TTL><ResourceRecords><ResourceRecord>` +
          `<Value>${this.records.get(first)}</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>`;
    return (
      `<ListResourceRecordSetsResponse ${NAMESPACE}><ResourceRecordSets>${record}</ResourceRecordSets>` +
      '<IsTruncated>false</IsTruncated><MaxItems>1</MaxItems></ListResourceRecordSetsResponse>'
    );
  }
}

const CHANGED =
  `<ChangeResourceRecordSetsResponse ${NAMESPACE}><ChangeInfo><Id>/change/C1</Id><Status>PENDING</Status>` +
  '<SubmittedAt>2026-01-01T00:00:00Z</SubmittedAt></ChangeInfo></ChangeResourceRecordSetsResponse>';

function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/xml' }).end(XML + body);
}

function refuse(response: ServerResponse, code: string, status = 400): void {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${code}</Message></Error>`;
  const body = `<ErrorResponse ${NAMESPACE}>${error}<RequestId>r</RequestId></ErrorResponse>`;
  response.writeHead(status, { 'content-type': 'text/xml' }).end(XML + body);
}
