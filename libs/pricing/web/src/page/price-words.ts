const LOCALE = 'en-US';
const price = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});
const wholePrice = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

const FREE: Readonly<Record<string, string>> = {
  deploys: 'Deploys',
  dms: 'Direct messages',
  'background-ai': 'Background AI',
};
const UNITS: Readonly<Record<string, string>> = { 'gb-month': 'GB a month' };

/** An amount with every digit it has: $25, $0.05, $0.0004. */
export function usd(amount: number): string {
  return (Number.isInteger(amount) ? wholePrice : price).format(amount);
}

/** A unit for reading: "secret-month" is "secret a month". */
export function unitWords(unit: string): string {
  return UNITS[unit] ?? unit.replace(/-(month|day|year)$/, ' a $1').replaceAll('-', ' ');
}

/** The name of something that is never billed; one this page does not know yet shows as it is. */
export function freeWords(id: string): string {
  return FREE[id] ?? sentence(id);
}

/** The name of a box size. */
export function sizeWords(size: string): string {
  return size === 'xlarge' ? 'Extra large' : sentence(size);
}

/** "medium-size" as "Medium size". */
function sentence(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The day of an instant, where the statement counts: in UTC. */
export function dayWords(instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? instant : day.format(date);
}
