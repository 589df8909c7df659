/** Holds figures against their bars, prints each, and knows at the end which were missed. */
export class Verdict {
  #missed = [];

  atMost(what, figure, bar, unit = '') {
    this.#note(what, figure <= bar, `${figure.toFixed(2)}${unit}, at most ${bar}`);
  }

  atLeast(what, figure, bar, unit = '') {
    this.#note(what, figure >= bar, `${figure.toFixed(2)}${unit}, at least ${bar}`);
  }

  /** A figure that could not be taken. */
  failed(why) {
    this.#note(why, false, 'not measured');
  }

  #note(what, isReached, words) {
    console.log(`${isReached ? 'reached' : 'MISSED '}  ${what}: ${words}`);
    if (!isReached) this.#missed.push(what);
  }

  /** The exit code. */
  end() {
    if (this.#missed.length > 0) console.log(`missed: ${this.#missed.join('; ')}`);
    return this.#missed.length > 0 ? 1 : 0;
  }
}
