// What a finding says of a fact about a call, where that fact stands at another place.

/** @import { Phrases } from '../phrases.js' */

/** @type {Readonly<Record<string, Phrases>>} */
export const CALL_PHRASES = {
  'call.asksKeys': ['the query is for a list of keys', 'the query is not for a list of keys'],
  'call.asksOneKey': ['the call has one key', 'the call has no single key'],
  'call.client': 'the client is `{value}`',
  'call.continues': ['the call asks for one page', 'the call asks for no page'],
  'call.docFields': 'the program reads {value}',
  'call.hasLimit': ['the call has a limit', 'the call has no limit'],
  'call.includeDocs': ['`include_docs` is set here', '`include_docs` is not set'],
  'call.isOnlyCounted': ['only the number of rows is used', 'more than the number of rows is used'],
  'call.isReportedFromLog': ['the logs show the query often', 'the logs do not show the query often'],
  'call.isSetUp': ['the code runs once', 'the code runs more than once'],
  'call.isUnbounded': ['nothing limits the rows', 'the rows are limited here'],
  'call.limit': 'the limit is {value} {row|rows}',
  'call.listUse': {
    all: 'the program goes through the list here',
    picked: 'the program picks from the list here',
    counted: 'the program counts here',
    one: 'the program uses one item here',
    '*': 'the program uses nothing of the list',
  },
  'call.location': { http: 'a server answers', local: 'the database is local', '*': 'the database is {value}' },
  'call.loopEndsEarly': ['the loop may stop early', 'the loop goes to the end of its list'],
  'call.loopListIsLiteral': ['the list of the loop is literal', 'the list of the loop is made when the program runs'],
  'call.loopPurpose': {
    each: 'this loop repeats the call',
    none: 'no loop repeats the call',
    '*': 'the loop is for `{value}`',
  },
  'call.loopTimes': 'the loop has {value} {turn|turns}',
  'call.method': 'the call is a `{value}`',
  'call.selectsOneId': ['the selector is for one `_id`', 'the selector is not for one `_id`'],
  'call.misspeltOption': { none: 'no option is misspelled', '*': '`{value}` is misspelled' },
  'call.pickedFields': 'the program keeps rows by {value}',
  'call.readsAttachments': ['`attachments` is set here', '`attachments` is not set'],
  'call.regExpHasString': ['a string can say the same', 'no string says the same for sure'],
  'call.skip': {
    none: 'the call has no `skip`',
    constant: 'its `skip` is always the same',
    grows: 'its `skip` grows from page to page',
  },
  'call.targetKind': {
    design: 'the id is that of a design document',
    local: 'the document is not replicated',
    '*': 'the id is that of a document',
  },
  'call.turnChangesDatabase': ['each turn has its own database', 'all turns have one database'],
  'call.turnChangesTarget': ['each turn has its own document', 'each turn has the same document'],
  'call.usesDocs': ['the program reads the documents', 'the program does not read the documents'],
  'call.viewEmitCount': 'the map has {value} {call|calls} of `emit`',
  'call.viewEmitsLinkedDoc': ['the view emits the id of another document', 'the view emits no linked document'],
  'call.viewEmitsWholeDoc': ['the view emits whole documents here', 'the view does not emit whole documents'],
  'call.viewIsRead': ['the view was read', 'the view was not read'],
};
