// The process that attacks: what is measured runs elsewhere, so that both do not wait for each other.
import { constants, setPriority } from 'node:os';
import { startAttacks } from './attacks.mjs';

// Attackers have machines of their own: they must not take the processors from what is measured.
setPriority(constants.priority.PRIORITY_LOW);

const counts = {};
const count = (attack, result) => {
  const key = `${attack} ${result}`;
  counts[key] = (counts[key] ?? 0) + 1;
};
const stop = new AbortController();

process.on('message', (message) => {
  if (message.target) void startAttacks(message.target, count, stop.signal);
  if (message === 'report') process.send(counts);
});
process.on('disconnect', () => process.exit(0));
