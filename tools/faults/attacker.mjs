// The attacking process, separate from the measuring process, so that they do not delay each other.
import { constants, setPriority } from 'node:os';
import { startAttacks } from './attacks.mjs';

// Real attackers have their own machines: low priority leaves the processors to the measured processes.
setPriority(constants.priority.PRIORITY_LOW);

const counts = {};
const count = (attack, result) => {
  const key = `${attack} ${result}`;
  counts[key] = (counts[key] ?? 0) + 1;
};

process.on('message', (message) => {
  if (message.target) void startAttacks(message.target, count);
  if (message === 'report') process.send(counts);
});
process.on('disconnect', () => process.exit(0));
