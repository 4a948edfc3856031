// Lines as bytes in, a digest that counted them out: asks the format what each line is. The loop that everything else waits
// for; it makes no object for a plain request.

import { lineEnd } from '../../sources/logs/detect.js';
import { formatNamed, lineFormats } from '../../sources/logs/formats.js';
import { LINE, LogLine } from '../../sources/logs/log-line.js';
import { RequestCounter } from '../count-requests.js';
import { JUMP_MINUTES } from '../parts.js';
import { FindStats } from '../shape-group.js';

/** @import { LogFormat } from '../../sources/logs/log-line.js' */
/** @import { HarRequest } from '../../sources/logs/har.js' */
/** @import { Digest } from '../digest.js' */

/** Stands for the minute before the first one: every line is earlier. */
const NO_MINUTE = 2 ** 30;
const SPACE = 32;
const TAB = 9;

export class LineFeeder {
  #digest;
  #line = new LogLine();
  /** @type {LogFormat | undefined} */
  #format;
  /** @type {LogFormat[]} */
  #others = [];
  #isForced = false;
  #firstMinute = -1;
  #firstMinuteLine = 0;
  #lastMinute = NO_MINUTE;

  #counter;

  /** @param {Digest} digest */
  constructor(digest) {
    this.#digest = digest;
    this.#counter = new RequestCounter(digest);
  }

  /**
   * Goes on to another file, or to another part of one.
   * @param {string} file as it is shown
   * @param {number | undefined} part
   * @param {{format: string | undefined, isForced: boolean, latest: number}} reading `latest`: milliseconds since 1970, after
   *   which no line was written
   */
  begin(file, part, { format, isForced, latest }) {
    this.#digest.beginPart(file, part);
    this.#format = format === undefined ? undefined : formatNamed(format, latest);
    this.#isForced = isForced;
    this.#others = isForced ? [] : lineFormats(latest).filter(({ name }) => name !== this.#format?.name);
    this.#lastMinute = NO_MINUTE;
    this.#line.reset();
  }

  /** All lines of the file or part are in. */
  end() {
    const hasTime = this.#lastMinute !== NO_MINUTE;
    this.#digest.endPart(
      hasTime ? { from: this.#firstMinute, line: this.#firstMinuteLine, to: this.#lastMinute } : undefined,
    );
  }

  /**
   * @param {Buffer} bytes
   * @param {number} from
   * @param {number} to behind a line feed
   */
  feed(bytes, from, to) {
    const digest = this.#digest;
    const line = this.#line;
    const counter = this.#counter;
    const scanPlain = this.#format?.scanPlain;
    let at = from;
    while (at < to) {
      digest.line += 1;
      const next = scanPlain === undefined ? 0 : scanPlain(bytes, at, to, line);
      if (next > 0) {
        if (line.minute + JUMP_MINUTES < this.#lastMinute) this.#goBack(line.minute);
        this.#lastMinute = line.minute;
        counter.add(bytes, line);
        at = next;
      } else {
        const end = bytes.indexOf(10, at);
        this.#feedLine(bytes, at, lineEnd(bytes, at, end));
        line.reset();
        at = end + 1;
      }
    }
  }

  /** @param {number} minute of a line that is far earlier than the one before, or the first to tell a time */
  #goBack(minute) {
    if (this.#lastMinute !== NO_MINUTE) this.#digest.addProblem('clock-jumped-back');
    else {
      this.#firstMinute = minute;
      this.#firstMinuteLine = this.#digest.line;
    }
  }

  /** A line that was too long to be held. */
  feedLongLine() {
    this.#digest.line += 1;
    this.#digest.addMalformed();
    this.#digest.addProblem('too-long');
  }

  /** @param {HarRequest | undefined} request undefined for an entry that is none */
  feedHarRequest(request) {
    const digest = this.#digest;
    digest.line += 1;
    if (!request) {
      digest.addMalformed();
      return;
    }
    const line = this.#line;
    line.reset();
    const bytes = Buffer.from(`${request.method} ${request.target}`);
    line.methodEnd = request.method.length;
    line.methodStart = 0;
    line.targetStart = request.method.length + 1;
    line.targetEnd = bytes.length;
    line.status = request.status;
    line.micros = request.micros;
    line.size = request.size;
    line.rows = request.rows;
    line.keyCount = request.keyCount;
    line.isReplicator = request.isReplicator;
    if (request.time >= 0) {
      line.minute = Math.floor(request.time / 60_000);
      line.millisecond = request.time % 60_000;
    }
    this.#counter.add(bytes, line);
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  #feedLine(bytes, start, end) {
    const digest = this.#digest;
    const line = this.#line;
    if (start === end) {
      digest.addOther(-1);
      return;
    }
    let kind = this.#scan(bytes, start, end);
    if (kind === LINE.MALFORMED && bytes[start] === 0) {
      // A crash leaves blocks of NUL in a file; what was written behind them is sound.
      let at = start;
      while (at < end && bytes[at] === 0) at += 1;
      if (at < end) kind = this.#scan(bytes, at, end);
    }
    if (kind === LINE.MALFORMED) {
      digest.addMalformed();
    } else {
      if (line.minute >= 0) {
        if (line.minute + JUMP_MINUTES < this.#lastMinute) this.#goBack(line.minute);
        this.#lastMinute = line.minute;
      }
      if (kind === LINE.REQUEST) this.#counter.add(bytes, line);
      else this.#feedEvidence(kind);
    }
    const nul = bytes.indexOf(0, start);
    if (nul !== -1 && nul < end) digest.addProblem('nul-bytes');
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {number} of LINE
   */
  #scan(bytes, start, end) {
    const line = this.#line;
    line.reset();
    const kind = this.#format?.scan(bytes, start, end, line) ?? LINE.MALFORMED;
    if (kind !== LINE.MALFORMED || this.#isForced) return kind;
    const first = bytes[start];
    // Reports of failures go on over several lines, which are set in.
    if (first === SPACE || first === TAB) return LINE.OTHER;
    // A request or evidence is more certain than a line that merely begins as those of a format do.
    for (const least of [LINE.REQUEST, LINE.OTHER]) {
      for (const format of this.#others) {
        line.reset();
        const found = format.scan(bytes, start, end, line);
        if (found < least || (found === LINE.OTHER && line.minute < 0)) continue;
        if (this.#format) this.#digest.addProblem('other-format');
        return found;
      }
    }
    line.reset();
    return LINE.MALFORMED;
  }

  /**
   * @param {number} kind of LINE
   */
  #feedEvidence(kind) {
    const digest = this.#digest;
    const { time, evidence } = this.#line;
    digest.addOther(time);
    if (evidence?.find && evidence.nonce !== undefined) {
      digest.addFindReport(evidence.nonce, Object.assign(new FindStats(), evidence.find, { reports: 1 }), time);
    }
    if (evidence?.index) digest.addIndexEvent({ isStart: kind === LINE.INDEX_START, time, ...evidence.index });
    if (evidence?.failure) digest.addQueryServerFailure(evidence.failure, time);
  }
}
