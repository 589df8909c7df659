import type { BucketExchange, Exchange, ObjectExchange } from './exchange.ts';
import * as buckets from './operations/bucket-operations.ts';
import { completeUpload } from './operations/complete-upload.ts';
import { copyObject } from './operations/copy-object.ts';
import { listObjects } from './operations/list-objects.ts';
import * as multipart from './operations/multipart.ts';
import { getObject, headObject } from './operations/read-object.ts';
import { deleteObject, deleteObjects, putObject } from './operations/write-object.ts';
import { S3Error } from './protocol/errors.ts';
import { header } from './protocol/headers.ts';

type Answer = void | Promise<void>;

/** Operations by method and, after a question mark, the selecting query parameter. */
const BUCKET_OPERATIONS: Readonly<Record<string, (exchange: BucketExchange) => Answer>> = {
  HEAD: buckets.headBucket,
  GET: listObjects,
  DELETE: buckets.deleteBucket,
  'GET?location': buckets.getBucketLocation,
  'GET?uploads': multipart.listUploads,
  'POST?delete': deleteObjects,
};

const OBJECT_OPERATIONS: Readonly<Record<string, (exchange: ObjectExchange) => Answer>> = {
  HEAD: headObject,
  GET: getObject,
  DELETE: deleteObject,
  PUT: (exchange) => (isCopy(exchange) ? copyObject(exchange) : putObject(exchange)),
  'POST?uploads': multipart.createUpload,
  'PUT?uploadId': uploadPart,
  'GET?uploadId': multipart.listParts,
  'DELETE?uploadId': multipart.abortUpload,
  'POST?uploadId': completeUpload,
};

const SUBRESOURCES = ['location', 'uploads', 'delete', 'uploadId'];
/** Subresources change the meaning of a request: `PUT ?acl` must not create an object. */
const UNSUPPORTED_SUBRESOURCES = new Set(
  (
    'accelerate acl analytics attributes cors encryption intelligent-tiering inventory legal-hold lifecycle logging ' +
    'metrics notification object-lock ownershipControls partNumber policy policyStatus publicAccessBlock replication ' +
    'requestPayment restore retention select session tagging torrent versionId versioning versions website'
  ).split(' '),
);

/** Finds and runs the operation of a request. Throws MethodNotAllowed or NotImplemented. */
export function route(exchange: Exchange): Answer {
  const { bucket: bucketName, key, query } = exchange.target;
  const method = exchange.request.method ?? '';
  const selector = SUBRESOURCES.find((name) => query.has(name));
  const foreign = query.entries.find(
    ([name]) => UNSUPPORTED_SUBRESOURCES.has(name) && !(name === 'partNumber' && selector),
  );
  if (foreign) throw new S3Error('NotImplemented', `This server does not implement ?${foreign[0]}`);
  const operation = selector === undefined ? method : `${method}?${selector}`;
  if (bucketName === undefined) return routeService(operation, exchange);
  if (key === undefined && operation === 'PUT') return buckets.createBucket({ ...exchange, bucketName });
  const bucket = exchange.storage.get(bucketName);
  if (key === undefined) return find(BUCKET_OPERATIONS, operation)({ ...exchange, bucket });
  return find(OBJECT_OPERATIONS, operation)({ ...exchange, bucket, key });
}

function routeService(operation: string, exchange: Exchange): Answer {
  if (operation !== 'GET') throw new S3Error('MethodNotAllowed');
  return buckets.listBuckets(exchange);
}

function find<T>(operations: Readonly<Record<string, T>>, name: string): T {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) throw new S3Error('MethodNotAllowed');
  return operation;
}

function uploadPart(exchange: ObjectExchange): Answer {
  if (isCopy(exchange)) throw new S3Error('NotImplemented', 'UploadPartCopy is not implemented');
  return multipart.uploadPart(exchange);
}

function isCopy({ headers }: Exchange): boolean {
  return header(headers, 'x-amz-copy-source') !== undefined;
}
