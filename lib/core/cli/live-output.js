import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

import { safeLines } from '../text/safe.js';
import { printMessage, write } from './output.js';

/** @import { LiveDisplay } from '../report/types.js' */

/**
 * Prints the output of a run in progress on stderr: a display of its progress, which redraws its own lines, and lines
 * above it. The run does not need the display: one that fails is closed, so that it draws nothing more and gives the
 * terminal back, and no other one is shown.
 */
export class LiveOutput {
  #stderr;
  /** The display that is shown. @type {LiveDisplay | null} */
  #display = null;
  #hasFailed = false;
  /** Lines that were printed without a display. @type {string[]} */
  #printed = [];
  /** A character of the flow's output may be cut between two chunks. */
  #decoder = new StringDecoder();
  /** A line of the flow's output whose end has not come. */
  #line = '';

  /** @param {Writable} stderr */
  constructor(stderr) {
    this.#stderr = stderr;
  }

  /**
   * Receives what the code of a flow prints, and writes it as it comes. Above a display only whole lines can be
   * printed: the rest waits for its end.
   */
  log = new Writable({
    write: (chunk, _encoding, done) => {
      this.#line += this.#decoder.write(chunk);
      if (!this.#display) return void this.#writeLine().then(() => done());
      const end = this.#line.lastIndexOf('\n');
      if (end >= 0) this.draw((display) => display.print(this.#line.slice(0, end)));
      this.#line = this.#line.slice(end + 1);
      return done();
    },
  });

  /** Shows a display; it gets the lines printed before. @type {(start: (printed: string[]) => LiveDisplay) => void} */
  show(start) {
    if (!this.#hasFailed) this.#attempt(() => (this.#display = start(this.#printed)));
  }

  /** Draws on the display, if one is shown. @type {(act: (display: LiveDisplay) => void) => void} */
  draw(act) {
    const display = this.#display;
    if (display) this.#attempt(() => act(display));
  }

  /** Prints lines, above the display if one is shown. @type {(text: string) => void} */
  print(text) {
    const lines = safeLines(text);
    if (this.#display) return this.draw((display) => display.print(lines));
    this.#printed.push(lines);
    return void write(this.#stderr, `${lines}\n`);
  }

  /** Closes the display, and writes what the flow has printed since its last whole line. */
  stop() {
    this.draw((display) => display.stop());
    this.#display = null;
    this.#line += this.#decoder.end();
    void this.#writeLine();
  }

  async #writeLine() {
    const text = this.#line;
    this.#line = '';
    if (text !== '') await write(this.#stderr, text);
  }

  /** @type {(act: () => void) => void} */
  #attempt(act) {
    try {
      act();
    } catch (error) {
      void printMessage(this.#stderr, `the display of the progress failed: ${/** @type {Error} */ (error).message}`);
      const failed = this.#display;
      this.#display = null;
      this.#hasFailed = true;
      try {
        failed?.stop();
      } catch {
        // The message has named the first error.
      }
    }
  }
}
