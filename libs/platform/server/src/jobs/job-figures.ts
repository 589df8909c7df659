import type { FigureSource } from '../metrics/metrics';
import type { Query } from '../postgres/query';

interface JobRow {
  readonly task: string;
  readonly due: string;
  readonly oldest: number | null;
}

const DUE = 'homeport_job_queue_due';
const OLDEST = 'homeport_job_queue_oldest_due_seconds';

/** The runs of jobs that wait in PostgreSQL, the same on every instance. Prometheus reserves the label `job`. */
export function jobFigures(query: Query): FigureSource {
  return {
    name: 'jobs',
    figures: [
      { type: 'gauge', name: DUE, help: 'Runs of a job that are due and not started.', labels: ['task'] },
      {
        type: 'gauge',
        name: OLDEST,
        help: 'How long the oldest due run of a job has waited; 0 when no run is due.',
        labels: ['task'],
      },
    ],
    async read() {
      // The names of jobs are constants; the schedule of pg-boss has a queue too, which is not ours.
      const rows = await query<JobRow>(
        `select q.name as task, count(j.id) as due,
           extract(epoch from now() - min(j.start_after))::float8 as oldest
         from pgboss.queue q left join pgboss.job j
           on j.name = q.name and j.state < 'active' and j.start_after <= now()
         where q.name not like '\\_\\_pgboss%' group by q.name`,
      );
      return {
        [DUE]: rows.map(({ task, due }) => ({ labels: { task }, value: Number(due) })),
        [OLDEST]: rows.map(({ task, oldest }) => ({ labels: { task }, value: Math.max(0, oldest ?? 0) })),
      };
    },
  };
}
