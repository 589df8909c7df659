import { EntitySchema } from 'typeorm';

/** One row of `apps.former_owners`. It exists while no app has the name. */
export interface FormerOwnerRow {
  readonly subdomain: string;
  readonly organization: string;
  readonly releasedAt: Date;
  readonly clearsDataUntil: Date | null;
}

export const FormerOwnerEntity = new EntitySchema<FormerOwnerRow>({
  name: 'FormerOwner',
  schema: 'apps',
  tableName: 'former_owners',
  columns: {
    subdomain: { type: 'text', primary: true },
    organization: { type: 'text' },
    releasedAt: { name: 'released_at', type: 'timestamptz' },
    clearsDataUntil: { name: 'clears_data_until', type: 'timestamptz', nullable: true },
  },
});
