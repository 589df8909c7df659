import { sendEmpty, sendXml } from '../exchange.ts';
import type { BucketExchange, Exchange } from '../exchange.ts';
import { leaf, node, xmlDocument } from '../protocol/xml.ts';

/** There is one account, which owns everything. */
const OWNER = node('Owner', leaf('ID', 'local'), leaf('DisplayName', 'local'));

export function listBuckets(exchange: Exchange): void {
  const buckets = exchange.storage
    .list()
    .map(({ name, created }) => node('Bucket', leaf('Name', name), leaf('CreationDate', created.toISOString())));
  sendXml(exchange, xmlDocument('ListAllMyBucketsResult', OWNER, node('Buckets', ...buckets)));
}

export async function createBucket(exchange: Exchange & { readonly bucketName: string }): Promise<void> {
  await exchange.storage.create(exchange.bucketName);
  sendEmpty(exchange, 200, { location: `/${exchange.bucketName}` });
}

export function headBucket(exchange: BucketExchange): void {
  sendEmpty(exchange, 200);
}

export async function deleteBucket(exchange: BucketExchange): Promise<void> {
  await exchange.storage.delete(exchange.bucket.name);
  sendEmpty(exchange, 204);
}

/** An empty location means us-east-1, the default of clients without a region. */
export function getBucketLocation(exchange: BucketExchange): void {
  sendXml(exchange, xmlDocument('LocationConstraint'));
}
