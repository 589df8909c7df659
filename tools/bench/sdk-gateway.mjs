// A simple gateway with the same routes over the AWS SDK on node:http: the baseline of `bench:files`.
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const env = process.env;
const keys = createRemoteJWKSet(new URL(env.AUTH_JWKS_URI));
const verified = new Map();
const s3 = new S3Client({
  endpoint: env.S3_ENDPOINT,
  region: env.S3_REGION,
  forcePathStyle: true,
  credentials: { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY },
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});
const prefix = env.BENCH_PREFIX;
const Bucket = env.S3_BUCKET;

async function demandToken(request) {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  if (!verified.has(token)) verified.set(token, await jwtVerify(token, keys, { issuer: env.AUTH_ISSUER }));
}

async function list(response) {
  const page = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${prefix}list/`, MaxKeys: 1000 }));
  const items = (page.Contents ?? []).map(({ Key, Size, ETag, LastModified }) => ({
    key: Key.slice(prefix.length),
    size: Size,
    etag: ETag,
    modified_at: LastModified,
  }));
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ items }));
}

async function answer(request, response) {
  await demandToken(request);
  const path = decodeURIComponent(request.url.split('?')[0].slice('/api/files'.length)).replace(/^\//, '');
  if (path === '') return list(response);
  const Key = prefix + path;
  if (request.method === 'PUT') {
    const ContentLength = Number(request.headers['content-length']);
    const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key, Body: request, ContentLength }));
    response.setHeader('etag', ETag).end(JSON.stringify({ key: path, size: ContentLength, etag: ETag }));
    return;
  }
  const found = await s3.send(new GetObjectCommand({ Bucket, Key }));
  response.writeHead(200, {
    'content-type': found.ContentType,
    'content-length': found.ContentLength,
    etag: found.ETag,
  });
  pipeline(found.Body, response, () => undefined);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
