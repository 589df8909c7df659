// The process that attacks: what is measured runs elsewhere, so that both do not wait for each other.
import { startAttacks } from './attacks.mjs';

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
