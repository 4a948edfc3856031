// Represents one input file: its path as shown to people and its text. Turns offsets into lines and columns; does no
// I/O.

/**
 * @typedef {object} Place Where something stands, counted as editors count: from 1, columns in UTF-16 code units.
 * @property {string} file path relative to the working directory, or `<stdin>`
 * @property {number} line
 * @property {number} column
 * @property {number} [endLine]
 * @property {number} [endColumn] the column behind the last character
 */

/**
 * @typedef {object} TextEdit A replacement of bytes in one file.
 * @property {SourceFile} file
 * @property {number} start offset into the file's text
 * @property {number} end offset behind the last replaced character
 * @property {string} text what stands there afterwards, already in the file's own escapes
 */

export class SourceFile {
  /** @type {Uint32Array | undefined} */
  #lineStarts;

  /**
   * @param {string} path path as it is shown in findings
   * @param {string} text the decoded text, byte order mark included if it had one
   */
  constructor(path, text) {
    this.path = path;
    this.text = text;
  }

  /** @returns {boolean} whether it is an answer of a server, which nothing is written to */
  get isRemote() {
    return /^https?:\/\//.test(this.path);
  }

  /** @returns {Uint32Array} the offset of each line's first character; a file may have millions */
  get lineStarts() {
    if (this.#lineStarts) return this.#lineStarts;
    let count = 1;
    for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) count += 1;
    const starts = new Uint32Array(count);
    let line = 0;
    for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) starts[++line] = at + 1;
    this.#lineStarts = starts;
    return starts;
  }

  /**
   * @param {number} offset an offset into the text; one behind the end counts as the end
   * @returns {{line: number, column: number}} both from 1
   */
  position(offset) {
    const starts = this.lineStarts;
    const wanted = Math.max(0, Math.min(offset, this.text.length));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (/** @type {number} */ (starts[middle]) <= wanted) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: wanted - /** @type {number} */ (starts[low]) + 1 };
  }

  /**
   * @param {number} start offset of the first character
   * @param {number} [end] offset behind the last character
   * @returns {Place} the place of that stretch
   */
  place(start, end) {
    const from = this.position(start);
    if (end === undefined || end < start) return { file: this.path, ...from };
    const to = this.position(end);
    return { file: this.path, ...from, endLine: to.line, endColumn: to.column };
  }
}
