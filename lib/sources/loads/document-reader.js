// Reads the documents and requests of a load from its bytes, one by one, in the forms that loads are written in. A
// document is identified by its id and its size; its other members are not looked at.

import { JsonScanner } from './json-scanner.js';

/**
 * @typedef {object} LoadDocument
 * @property {string | undefined} id its UTF-8 bytes, one a character, at most 1,024 of them; undefined where the server is to
 *   make it
 * @property {number | undefined} bytes of the document as JSON, without blanks and without attachments; undefined where a row
 *   of a dump comes without it
 * @property {boolean} hasRevision
 * @property {boolean} isDeleted whether it says `"_deleted": true`
 * @property {boolean} hasAttachments
 * @property {number} start where it begins in the bytes that were read; that of the row where it comes without a document
 * @property {number} end behind its last byte
 * @property {boolean} isInRequest whether it stands in the body of a request, whose end will be reported
 */

/**
 * @typedef {object} DocumentListener
 * @property {(document: LoadDocument) => void} onDocument
 * @property {(batch: {documents: number, bytes: number}) => void} onBatch a body of `_bulk_docs` ended
 * @property {() => void} onNewEditsOff a body says `"new_edits": false`
 * @property {(message: string, line: number, offset: number) => void} onFault
 */

/** What a container is: `undecided` an object at the top that may be a document, a body or an answer; `wrapper` a body or
 *  an answer; `list` what holds documents or rows. @typedef {'undecided' | 'document' | 'wrapper' | 'header' | 'list' | 'row' | 'attachments' | 'other'} Role */

/** Members that may stand before the list in a body of `_bulk_docs` or an answer of `_all_docs`; a document has others. */
const BEFORE_LIST = new Set(['new_edits', 'w', 'all_or_nothing', 'total_rows', 'offset', 'update_seq']);
/** Members that only an answer of `_find` has, which is no body of a request. */
const OF_FIND = new Set(['bookmark', 'execution_stats', 'warning']);
/** What the first line of newer couchbackup files is named. */
const BACKUP_HEADER = '@cloudant/couchbackup';

const NO_DOCUMENT = 'expected a document, which is an object';

export class DocumentReader {
  /** Of each open container that matters, what it is; the first place is not used. @type {Role[]} */
  #roles = [];
  #key = '';
  #holdsRows = false;
  /** Whether the list is that of a body of `_bulk_docs`. */
  #isRequest = false;
  #isNewEditsOff = false;
  #topStart = 0;
  #topLine = 0;
  #listLine = 0;
  #memberLine = 0;
  #documents = 0;

  /** What is known of the document that is read. @type {string | undefined} */
  #id;
  #hasRevision = false;
  #isDeleted = false;
  #start = 0;
  /** Where the document or row in hand begins; -1 between them. */
  #startOffset = -1;
  #attachmentStart = 0;
  #attachmentBytes = 0;
  /** Whether the row that is read came with its document. */
  #hasDocument = false;

  /** @param {DocumentListener} listener */
  constructor(listener) {
    this.listener = listener;
    this.scanner = new JsonScanner({
      onOpen: (isArray) => this.#open(isArray),
      onClose: () => this.#close(),
      onKey: (key) => this.#readKey(key),
      onScalar: (text, word) => this.#readScalar(text, word),
      onFault: (message) => this.#fault(message),
    });
  }

  /** @returns {number} where the document begins that is not reported yet: bytes before it are no longer needed */
  get keptFrom() {
    return this.#startOffset === -1 ? this.scanner.offset : this.#startOffset;
  }

  /** @param {Buffer} bytes the next piece */
  write(bytes) {
    this.scanner.write(bytes);
  }

  /** What is left open is reported as a fault. */
  end() {
    this.scanner.end();
  }

  /** @param {boolean} isArray */
  #open(isArray) {
    const { depth } = this.scanner;
    if (depth === 1) this.#startTop();
    const role = this.#roleOf(isArray, depth);
    this.#roles[depth] = role;
    if (role === 'list') this.#listLine = this.#memberLine = this.scanner.line;
    if (role === 'row') {
      this.#startMember();
      this.#id = undefined;
      this.#hasDocument = false;
      this.#hasRevision = false;
    }
    if (role === 'document' || role === 'undecided') this.#startDocument(depth);
    if (role === 'attachments') this.#attachmentStart = this.scanner.solidBytes;
    this.#listen(depth);
  }

  /**
   * @param {boolean} isArray
   * @param {number} depth
   * @returns {Role} what the container is that opens now
   */
  #roleOf(isArray, depth) {
    const key = this.#key;
    switch (depth === 1 ? undefined : this.#roles[depth - 1]) {
      case undefined:
        return isArray ? 'list' : 'undecided';
      case 'undecided':
        if (isArray && (key === 'docs' || key === 'rows')) {
          this.#openList(key === 'rows');
          return 'list';
        }
        this.#roles[depth - 1] = 'document';
        return key === '_attachments' ? 'attachments' : 'other';
      case 'document':
        return key === '_attachments' ? 'attachments' : 'other';
      case 'list':
        if (!isArray) return this.#holdsRows ? 'row' : 'document';
        this.#reportError(NO_DOCUMENT);
        return 'other';
      case 'row':
        this.#hasDocument ||= key === 'doc' && !isArray;
        return key === 'doc' && !isArray ? 'document' : 'other';
      default:
        return 'other';
    }
  }

  /** A value at the top begins. */
  #startTop() {
    this.#key = '';
    this.#holdsRows = false;
    this.#isRequest = false;
    this.#isNewEditsOff = false;
    this.#documents = 0;
    this.#topStart = this.scanner.solidBytes;
    this.#topLine = this.scanner.line;
    this.#startMember();
  }

  /** @param {boolean} holdsRows */
  #openList(holdsRows) {
    this.#roles[1] = 'wrapper';
    this.#startOffset = -1;
    this.#holdsRows = holdsRows;
    this.#isRequest = !holdsRows;
    if (this.#isNewEditsOff) this.listener.onNewEditsOff();
  }

  #startMember() {
    this.#memberLine = this.scanner.line;
    this.scanner.markMember();
  }

  /** @param {number} depth */
  #startDocument(depth) {
    if (this.#roles[depth - 1] !== 'row' || depth === 1) {
      this.#startMember();
      this.#id = undefined;
    }
    this.#start = this.scanner.solidBytes;
    this.#startOffset = this.scanner.offset;
    this.#hasRevision = false;
    this.#isDeleted = false;
    this.#attachmentBytes = 0;
  }

  /** @param {number} depth of the innermost open container: the scanner reports what matters in it */
  #listen(depth) {
    const role = depth === 0 ? undefined : this.#roles[depth];
    const isLeaf = role === 'document' || role === 'attachments' || role === 'other' || role === 'header';
    this.scanner.quietDepth = isLeaf ? depth : depth + 1;
    this.scanner.onlySpecialKeys = isLeaf;
  }

  /** @param {string} key */
  #readKey(key) {
    const { scanner } = this;
    const role = this.#roles[scanner.depth];
    this.#key = key;
    if (role === 'row') scanner.wantsText = key === 'id';
    else if (role === 'wrapper') this.#isRequest &&= !OF_FIND.has(key);
    else if (role === 'document' || role === 'undecided') {
      this.#hasRevision ||= key === '_rev' || key === '_revisions';
      scanner.wantsText = key === '_id' || (role === 'undecided' && key === 'name');
      // Its end is to be reported too.
      if (key === '_attachments') scanner.quietDepth = scanner.depth + 1;
      const isOpen = key === 'docs' || key === 'rows' || key === 'name' || BEFORE_LIST.has(key);
      if (role === 'undecided' && !isOpen) this.#decideDocument();
    }
  }

  /** The object at the top is a document. */
  #decideDocument() {
    this.#roles[1] = 'document';
    if (this.#key !== '_attachments') this.#listen(1);
  }

  /**
   * @param {string | undefined} text
   * @param {string} word
   */
  #readScalar(text, word) {
    const { depth } = this.scanner;
    const role = depth === 0 ? 'list' : this.#roles[depth];
    const key = this.#key;
    if (role === 'list') this.#reportError(NO_DOCUMENT);
    else if (role === 'wrapper' && key === 'new_edits' && word === 'false') this.listener.onNewEditsOff();
    else if (role === 'undecided') {
      if (key === 'new_edits') this.#isNewEditsOff = word === 'false';
      else if (text === BACKUP_HEADER) this.#roles[1] = 'header';
      else if (!BEFORE_LIST.has(key)) this.#decideDocument();
    } else if (key === '_deleted') this.#isDeleted ||= word === 'true';
    else if (text !== undefined && (key === '_id' || (role === 'row' && key === 'id'))) {
      this.#id = text;
    }
    this.#key = '';
  }

  #close() {
    const { scanner } = this;
    switch (this.#roles[scanner.depth]) {
      case 'document':
      case 'undecided':
        this.#reportDocument(scanner.solidBytes - this.#start - this.#attachmentBytes);
        break;
      case 'attachments':
        this.#attachmentBytes += scanner.solidBytes - this.#attachmentStart;
        break;
      case 'row':
        if (!this.#hasDocument && this.#id !== undefined) this.#reportDocument(undefined);
        break;
      case 'wrapper':
        if (!this.#isRequest) break;
        this.listener.onBatch({ documents: this.#documents, bytes: scanner.solidBytes - this.#topStart });
        break;
      default:
    }
    this.#key = '';
    // Where the first value is a line, all are: what goes on behind the end of a line was cut.
    if (scanner.depth === 1) scanner.keepsToLine = this.#topLine === scanner.line;
    this.#listen(scanner.depth - 1);
  }

  /** @param {number | undefined} bytes */
  #reportDocument(bytes) {
    this.#documents += 1;
    this.listener.onDocument({
      id: this.#id,
      bytes,
      hasRevision: this.#hasRevision,
      isDeleted: this.#isDeleted,
      hasAttachments: this.#attachmentBytes > 0,
      start: this.#startOffset,
      end: this.scanner.offset,
      isInRequest: this.#isRequest,
    });
    this.#startOffset = -1;
  }

  /**
   * @param {string} message
   * @returns {'top' | 'list' | 'list-in-line'}
   */
  #fault(message) {
    const { depth } = this.scanner;
    const list = this.#roles.indexOf('list', 1);
    const isInList = list !== -1 && list <= depth;
    this.#startOffset = -1;
    const isInDocument = isInList ? depth > list : depth > 0;
    this.#reportError(
      isInDocument ? `${message}; skipped the document that starts on line ${this.#memberLine}` : message,
    );
    this.#key = '';
    if (!isInList) return 'top';
    return this.#memberLine === this.#listLine ? 'list-in-line' : 'list';
  }

  /** @param {string} message */
  #reportError(message) {
    this.listener.onFault(message, this.scanner.line, this.scanner.offset);
  }
}
