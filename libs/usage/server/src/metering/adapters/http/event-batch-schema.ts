import type { ApiBodyOptions } from '@nestjs/swagger';
import { MAX_EVENTS } from '../../domain/reported-events';

const EXAMPLE = [
  {
    specversion: '1.0',
    id: 'run-1042',
    source: 'https://agents.example.com',
    type: 'homeport.usage',
    subject: 'northwind',
    time: '2026-11-27T08:30:00Z',
    data: { item: 'agent-run', quantity: 1 },
  },
];

/** The schema of a batch of CloudEvents that report usage. */
export const EVENT_BATCH_SCHEMA: Extract<ApiBodyOptions, { schema: unknown }>['schema'] = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_EVENTS,
  example: EXAMPLE,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'data'],
    properties: {
      specversion: { type: 'string', enum: ['1.0'] },
      id: { type: 'string', minLength: 1, maxLength: 200, description: 'unique for the source' },
      source: { type: 'string', minLength: 1, maxLength: 500, description: 'the URI of the product' },
      type: { type: 'string', enum: ['homeport.usage'] },
      subject: { type: 'string', description: 'the organization of the token' },
      time: { type: 'string', format: 'date-time', description: 'when the item was used: in the last 62 days' },
      datacontenttype: { type: 'string', enum: ['application/json'] },
      dataschema: { type: 'string' },
      data: {
        type: 'object',
        additionalProperties: false,
        required: ['item', 'quantity'],
        properties: {
          item: { type: 'string', description: 'the id of an item of the usage card that Homeport does not measure' },
          quantity: {
            oneOf: [{ type: 'number', minimum: 0, maximum: 1e12 }, { type: 'string' }],
            description: 'from 0 to 10¹² with at most 6 decimals; a text keeps digits that a number would lose',
          },
        },
      },
    },
  },
};
