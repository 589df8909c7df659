/** Compares figures with their targets, prints each and collects the missed ones. */
export class Verdict {
  #missed = [];

  atMost(what, figure, target, unit = '') {
    this.#record(what, figure <= target, `${figure.toFixed(2)}${unit}, at most ${target}`);
  }

  atLeast(what, figure, target, unit = '') {
    this.#record(what, figure >= target, `${figure.toFixed(2)}${unit}, at least ${target}`);
  }

  /** Records a figure that could not be measured. */
  failed(why) {
    this.#record(why, false, 'not measured');
  }

  #record(what, isReached, words) {
    console.log(`${isReached ? 'reached' : 'MISSED '}  ${what}: ${words}`);
    if (!isReached) this.#missed.push(what);
  }

  /** The exit code. */
  end() {
    if (this.#missed.length > 0) console.log(`missed: ${this.#missed.join('; ')}`);
    return this.#missed.length > 0 ? 1 : 0;
  }
}
