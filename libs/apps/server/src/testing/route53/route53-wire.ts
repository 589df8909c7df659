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
/** Smithy's number for times as in `2026-01-01T00:00:00Z`. */
const DATE_TIME = 5;
const SETTINGS: ConstructorParameters<typeof XmlShapeSerializer>[0] = {
  timestampFormat: { useTrait: true, default: DATE_TIME },
  httpBindings: true,
  xmlNamespace: NAMESPACE,
  serviceNamespace: 'com.amazonaws.route53',
};

/**
 * What Route 53 and its clients say to each other. Requests are read and answers written by the SDK's own schemas of
 * them, so that a double cannot agree with an adapter on something that Route 53 does not speak.
 */
export const wire = {
  /** @throws {Error} when it is no XML. */
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

  /** The form in Route 53's documentation, which the SDK cannot name: it comes out as `Unknown`. */
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
