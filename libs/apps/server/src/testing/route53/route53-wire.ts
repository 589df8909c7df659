import {
  ChangeResourceRecordSetsRequest$,
  type ChangeBatch,
  type ChangeInfo,
  ChangeResourceRecordSetsResponse$,
  GetChangeResponse$,
  ListResourceRecordSetsResponse$,
  type ListResourceRecordSetsResponse,
} from '@aws-sdk/client-route-53';
import { XmlShapeDeserializer, XmlShapeSerializer } from '@aws-sdk/core/protocols';

const DECLARATION = '<?xml version="1.0"?>\n';
const NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/';
/** Smithy's id of the time format `2026-01-01T00:00:00Z`. */
const DATE_TIME = 5;
const SETTINGS: ConstructorParameters<typeof XmlShapeSerializer>[0] = {
  timestampFormat: { useTrait: true, default: DATE_TIME },
  httpBindings: true,
  xmlNamespace: NAMESPACE,
  serviceNamespace: 'com.amazonaws.route53',
};

/**
 * The XML wire format of Route 53. Uses the schemas of the SDK, so that the double and an adapter cannot agree on a
 * format that Route 53 does not support.
 */
export const wire = {
  /** @throws {Error} when the body is not XML. */
  readChangeBatch(body: string): ChangeBatch {
    const request = new XmlShapeDeserializer(SETTINGS).read(ChangeResourceRecordSetsRequest$, body) as {
      ChangeBatch?: ChangeBatch;
    };
    return request.ChangeBatch ?? { Changes: [] };
  },

  writeChange: (ChangeInfo: ChangeInfo) => written(ChangeResourceRecordSetsResponse$, { ChangeInfo }),
  writeGetChange: (ChangeInfo: ChangeInfo) => written(GetChangeResponse$, { ChangeInfo }),
  writeListing: (listing: ListResourceRecordSetsResponse) => written(ListResourceRecordSetsResponse$, listing),

  writeError(code: string, message: string): string {
    const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`;
    return `${DECLARATION}<ErrorResponse xmlns="${NAMESPACE}">${error}<RequestId>double</RequestId></ErrorResponse>`;
  },

  /** The form in Route 53's documentation. The SDK does not recognize it and reports `Unknown`. */
  writeDocumentedError(code: string, messages: readonly string[]): string {
    const list = messages.map((message) => `<Message>${escaped(message)}</Message>`).join('');
    return `${DECLARATION}<${code} xmlns="${NAMESPACE}"><Messages>${list}</Messages></${code}>`;
  },
};

function written(schema: Parameters<XmlShapeSerializer['write']>[0], value: unknown): string {
  const serializer = new XmlShapeSerializer(SETTINGS);
  serializer.write(schema, value);
  return DECLARATION + String(serializer.flush());
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
