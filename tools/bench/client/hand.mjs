import { existsSync } from 'node:fs';

/** A person at mouse and keyboard: acts on a page and counts what they do. */
export class Hand {
  clicks = 0;
  drags = 0;
  /** Keys and key combinations; the content that a person writes does not count. */
  keys = 0;
  pickers = 0;

  constructor(page) {
    this.page = page;
  }

  /** @param modifiers held keys, which count as a part of the click. */
  async click(locator, modifiers = []) {
    this.clicks++;
    await locator.click({ modifiers });
  }

  async press(keys) {
    this.keys++;
    await this.page.keyboard.press(keys);
  }

  /** Types a query or a name. */
  async type(text) {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Writes content, which is the same work everywhere. */
  async write(text) {
    await this.page.keyboard.type(text);
  }

  /** Clicks a button that opens the file picker, and picks there. */
  async pick(locator, path) {
    const opened = this.page.waitForEvent('filechooser');
    await this.click(locator);
    this.pickers++;
    await (await opened).setFiles(path);
  }

  /** Drags one element onto another. */
  async drag(from, to) {
    this.drags++;
    await from.dragTo(to);
  }

  /** Drags a file or folder of the machine onto the page. */
  async dropOnPage(path) {
    if (!existsSync(path)) throw new Error(`${path} does not exist`);
    this.drags++;
    const { width, height } = this.page.viewportSize();
    const tools = await this.page.context().newCDPSession(this.page);
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'])
      await tools.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data });
    await tools.detach();
  }

  toString() {
    const parts = [
      [this.clicks, 'click'],
      [this.drags, 'drag'],
      [this.keys, 'key'],
      [this.pickers, 'picker'],
    ];
    return parts
      .filter(([count]) => count > 0)
      .map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`)
      .join(' + ');
  }
}
