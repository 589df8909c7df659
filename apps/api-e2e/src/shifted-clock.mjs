// Preloaded (`--import`) into a process to shift its system clock by `?ms=`. Monotonic clocks, such as
// performance.now() and timers, are not shifted, because a wrong system clock does not affect them.
const shift = Number(new URL(import.meta.url).searchParams.get('ms'));
const OriginalDate = Date;

globalThis.Date = class Date extends OriginalDate {
  constructor(...given) {
    if (given.length === 0) super(OriginalDate.now() + shift);
    else super(...given);
  }

  static now() {
    return OriginalDate.now() + shift;
  }
};
