import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../exchange.ts';
import { bodyClaims, receiveBody } from '../protocol/body.ts';
import type { ReceivedBody } from '../protocol/body.ts';
import type { ChecksumAlgorithm } from '../protocol/checksums.ts';
import { S3Error } from '../protocol/errors.ts';
import { readXml } from '../protocol/xml-reader.ts';
import type { XmlElement } from '../protocol/xml-reader.ts';
import type { BodyFile } from '../storage/body-file.ts';

/** Large enough for ten thousand parts or a thousand long keys. */
const MAX_XML_BYTES = 8 * 1024 * 1024;

/** Writes the request body to a file and verifies it; discards the file when the verification fails. */
export async function receiveInto(
  body: BodyFile,
  { request, response, headers, payloadHash }: Exchange,
  computed?: ChecksumAlgorithm,
): Promise<ReceivedBody> {
  const claims = bodyClaims(headers, payloadHash, computed);
  try {
    if (expectsContinue(request)) response.writeContinue();
    return await receiveBody(bytesOf(request), claims, (piece) => body.write(piece));
  } catch (error) {
    await body.discard();
    throw error;
  }
}

/** Reads and verifies an XML body. Throws MalformedXML for invalid or too large bodies. */
export async function receiveXml({ request, response, headers, payloadHash }: Exchange): Promise<XmlElement> {
  const claims = bodyClaims(headers, payloadHash);
  if (claims.length > MAX_XML_BYTES) throw new S3Error('MalformedXML');
  if (expectsContinue(request)) response.writeContinue();
  const pieces: Buffer[] = [];
  await receiveBody(bytesOf(request), claims, (piece) => void pieces.push(piece));
  try {
    return readXml(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)));
  } catch (error) {
    if (error instanceof TypeError) throw new S3Error('MalformedXML');
    throw error;
  }
}

/** Leaving the loop early must not destroy the connection, because a refused upload still needs its response. */
function bytesOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false });
}

function expectsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === '100-continue';
}
