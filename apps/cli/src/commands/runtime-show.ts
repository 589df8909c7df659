import { operations, type RuntimeDetails } from '@homeport/api-client';
import { appIdOfProject } from '../find-app';
import { bytes, count, minuteOf, table } from '../terminal/format';
import { withAppOption } from './app-argument';
import { defineCommand } from './command';

export const runtimeShowCommand = defineCommand({
  name: 'show',
  summary: 'Show the state of the servers, their instances and limits',
  options: withAppOption,
  run: async (context, { app }) => {
    const homeport = await context.server();
    const id = await appIdOfProject(homeport, context.cwd, app);
    const runtime = await operations.getRuntime({ client: homeport.client, path: { id } });
    context.terminal.result(runtime, () => runtimeLines(runtime));
  },
});

function runtimeLines({ state, reason, instances, limits }: RuntimeDetails): string[] {
  return [
    `State:   ${state}${reason === null ? '' : `: ${reason}`}`,
    `Limits:  ${count(limits.instances, 'instance')} with ${bytes(limits.memory_bytes)} each`,
    ...(instances.length === 0 ? [] : ['']),
    ...(instances.length === 0
      ? []
      : table(['INSTANCE', 'STATE', 'STARTED', 'MEMORY', 'REQUESTS', 'DEPLOY'], rowsOf(instances))),
  ];
}

function rowsOf(instances: RuntimeDetails['instances']): string[][] {
  return instances.map(({ id, state, started_at, memory_bytes, requests, deploy_id }) => [
    id,
    state,
    minuteOf(started_at),
    bytes(memory_bytes),
    String(requests),
    deploy_id,
  ]);
}
