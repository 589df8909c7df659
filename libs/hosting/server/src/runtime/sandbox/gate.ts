import { GATE } from './bubblewrap-arguments';

/** Waits until the runtime has put the process into its control group, then runs the arguments. */
export const GATE_SCRIPT = `read -r _ <&${GATE} && exec ${GATE}<&- && exec "$@"`;
