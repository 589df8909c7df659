// Preloaded (`--import`) into a process whose clock on the wall is to be wrong, by `?ms=`. What only goes forward, such
// as performance.now() and timers, stays as it is: no machine counts its seconds wrongly, only the hour.
const shift = Number(new URL(import.meta.url).searchParams.get('ms'));
const RightDate = Date;

globalThis.Date = class Date extends RightDate {
  constructor(...given) {
    if (given.length === 0) super(RightDate.now() + shift);
    else super(...given);
  }

  static now() {
    return RightDate.now() + shift;
  }
};
