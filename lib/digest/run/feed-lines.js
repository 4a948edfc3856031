// Counts lines of bytes into a digest, as the format reads them.

import { DETECTED_FORMATS, formatNamed } from '../../sources/logs/formats.js';
import { LINE, LogLine, lineEnd } from '../../sources/logs/log-line.js';
import { FREED, Unwrapper } from '../../sources/logs/unwrap.js';
import { RequestCounter } from '../count-requests.js';
import { FindStats } from '../fingerprint-group.js';
import { JUMP_MINUTES } from '../parts.js';
import { HarTwins } from './har-twins.js';

/** @import { LogFormat } from '../../sources/logs/log-line.js' */
/** @import { Detected } from '../../sources/logs/detect.js' */
/** @import { HarRequest } from '../../sources/logs/har.js' */
/** @import { Digest } from '../digest.js' */
/** @import { TwinTimes } from './har-twins.js' */

/** Stands for the minute before the first one: every line is earlier. */
const NO_MINUTE = 2 ** 30;
const SPACE = 32;
const TAB = 9;
const LINE_FEED = 10;

export class LineFeeder {
  #digest;
  #counter;
  #twins;
  /** @type {LogFormat | undefined} */
  #format;
  /** @type {LogFormat[]} */
  #others = [];
  #isForced = false;
  /** @type {Unwrapper | undefined} */
  #unwrapper;
  #latest = 0;
  #firstMinute = -1;
  #firstMinuteLine = 0;
  #lastMinute = NO_MINUTE;

  /** @param {Digest} digest @param {TwinTimes} [twins] requests of HAR files that are read too */
  constructor(digest, twins = new Map()) {
    this.#digest = digest;
    this.#twins = new HarTwins(twins);
    this.#counter = new RequestCounter(digest);
  }

  /**
   * Goes on to another file, or to another part of one.
   * @param {string} file as it is shown
   * @param {number | undefined} part
   * @param {Detected & {isForced: boolean, latest: number}} reading `latest`: milliseconds since 1970, after
   *   which no line was written
   */
  begin(file, part, { format, wrapper, isForced, latest }) {
    this.#digest.beginPart(file, part);
    this.#format = formatNamed(format);
    this.#unwrapper = wrapper && new Unwrapper(wrapper);
    this.#isForced = isForced;
    this.#others = isForced ? [] : DETECTED_FORMATS.filter((other) => other !== this.#format);
    this.#lastMinute = NO_MINUTE;
    this.#latest = latest;
  }

  /** All lines of the file or part are in. */
  end() {
    while (this.#unwrapper?.finish()) this.#feedFreed(this.#unwrapper);
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
    let nul = nextNul(bytes, from, to);
    for (let at = from; at < to; ) {
      const end = bytes.indexOf(LINE_FEED, at);
      this.#digest.line += 1;
      if (this.#unwrapper) this.#feedWrapped(this.#unwrapper, bytes, at, lineEnd(bytes, at, end));
      else this.#feedLine(bytes, at, lineEnd(bytes, at, end));
      if (nul < end) {
        this.#digest.addProblem('nul-bytes');
        nul = nextNul(bytes, end, to);
      }
      at = end + 1;
    }
  }

  /** @param {number} minute of a line that is far earlier than the one before, or the first with a time */
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
    const line = new LogLine(this.#latest);
    const bytes = Buffer.from(`${request.method} ${request.target}`);
    line.methodEnd = request.method.length;
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
    if (digest.takes(line.time)) this.#counter.add(bytes, line);
    else digest.addOther(-1);
  }

  /**
   * @param {Unwrapper} unwrapper
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  #feedWrapped(unwrapper, bytes, start, end) {
    const freed = unwrapper.unwrap(bytes, start, end);
    if (freed === FREED.LINE) this.#feedFreed(unwrapper);
    else if (freed === FREED.NO_LINE) this.#feedForeign(unwrapper.isOfOtherProgram() ? 'other-program' : 'no-log-line');
    else if (freed === FREED.TOO_LONG) {
      this.#digest.addMalformed();
      this.#digest.addProblem('too-long');
    }
  }

  /** @param {Unwrapper} unwrapper whose line may be several ones */
  #feedFreed({ bytes, start, end, hasFeeds }) {
    let at = start;
    for (let feed = hasFeeds ? bytes.indexOf(LINE_FEED, at) : -1; feed !== -1 && feed < end; ) {
      this.#feedLine(bytes, at, lineEnd(bytes, at, feed));
      at = feed + 1;
      feed = bytes.indexOf(LINE_FEED, at);
    }
    this.#feedLine(bytes, at, end);
  }

  /** @param {string} problem of a line that is none of the log */
  #feedForeign(problem) {
    this.#digest.addOther(-1);
    this.#digest.addProblem(problem);
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  #feedLine(bytes, start, end) {
    const digest = this.#digest;
    if (start === end) {
      digest.addOther(-1);
      return;
    }
    let line = this.#read(bytes, start, end);
    if (line.kind === LINE.MALFORMED && bytes[start] === 0) {
      // A crash leaves blocks of NUL in a file; what was written behind them is sound.
      let at = start;
      while (at < end && bytes[at] === 0) at += 1;
      if (at < end) line = this.#read(bytes, at, end);
    }
    if (line.kind === LINE.MALFORMED) {
      if (this.#unwrapper?.isOfOtherProgram()) this.#feedForeign('other-program');
      else digest.addMalformed();
      return;
    }
    if (line.minute < 0) this.#unwrapper?.setTime(line);
    if (line.minute >= 0) {
      if (line.minute + JUMP_MINUTES < this.#lastMinute) this.#goBack(line.minute);
      this.#lastMinute = line.minute;
    }
    if (!digest.takes(line.time)) digest.addOther(-1);
    else if (line.kind === LINE.REQUEST && this.#twins.take(bytes, line)) {
      digest.addOther(line.time);
      digest.addProblem('also-in-har');
    } else if (line.kind === LINE.REQUEST) this.#counter.add(bytes, line);
    else this.#feedEvidence(line);
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {LogLine}
   */
  #read(bytes, start, end) {
    const line = this.#readAs(this.#format, bytes, start, end);
    if (line.kind !== LINE.MALFORMED || this.#isForced) return line;
    // A proxy that logs into the same stream would count each request twice.
    if (this.#unwrapper?.isOfOtherProgram()) return line;
    if (bytes[start] !== SPACE && bytes[start] !== TAB) return this.#readAsOther(bytes, start, end) ?? line;
    // Reports of failures go on over several lines, which are set in.
    line.kind = LINE.OTHER;
    return line;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {LogLine | undefined} a line in another format than the rest of the file
   */
  #readAsOther(bytes, start, end) {
    const lines = this.#others.map((format) => this.#readAs(format, bytes, start, end));
    // A request or evidence is more certain than a line that merely begins as those of a format do.
    const found =
      lines.find(({ kind }) => kind >= LINE.REQUEST) ??
      lines.find(({ kind, minute }) => kind === LINE.OTHER && minute >= 0);
    if (found && this.#format) this.#digest.addProblem('other-format');
    return found;
  }

  /**
   * @param {LogFormat | undefined} format
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {LogLine} malformed where there is no format
   */
  #readAs(format, bytes, start, end) {
    const line = new LogLine(this.#latest);
    if (format) line.kind = format.scan(bytes, start, end, line);
    return line;
  }

  /** @param {LogLine} line that is no request */
  #feedEvidence({ kind, time, evidence }) {
    const digest = this.#digest;
    digest.addOther(time);
    if (evidence?.find && evidence.nonce !== undefined) {
      digest.addFindReport(evidence.nonce, Object.assign(new FindStats(), evidence.find, { reports: 1 }), time);
    }
    if (evidence?.index) digest.addIndexEvent({ isStart: kind === LINE.INDEX_START, time, ...evidence.index });
    if (evidence?.failure) digest.addQueryServerFailure(evidence.failure, time);
    for (const report of evidence?.reports ?? []) digest.addServerReport(report, time);
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} from
 * @param {number} to
 * @returns {number} where the next NUL is, `to` where there is none
 */
function nextNul(bytes, from, to) {
  const at = bytes.subarray(from, to).indexOf(0);
  return at === -1 ? to : from + at;
}
