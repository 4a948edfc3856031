// What a finding says of a fact about a call, where that fact stands at another place.

/** @import { Phrases } from '../phrases.js' */

/** @type {Readonly<Record<string, Phrases>>} */
export const CALL_PHRASES = {
  'call.asksOneKey': ['the call has one key', 'the call has no single key'],
  'call.credentials': {
    literal: 'user and password are written here',
    none: 'there are no credentials',
    '*': 'the credentials are {value}',
  },
  'call.createsIndexBefore': ['the index is created here', 'no index is created before it'],
  'call.docFields': 'the program reads {value}',
  'call.endsOnError': ['nothing handles its errors', 'its errors are handled'],
  'call.feedLocation': { http: 'a server reads the changes', '*': 'the changes are read from {value}' },
  'call.filterFitsSelector': ['a selector can replace the filter', 'no selector is known for the filter'],
  'call.filterKind': { none: 'the feed has no filter', '*': 'the filter is {value}' },
  'call.hasLimit': ['the call has a limit', 'the call has no limit'],
  'call.host': { local: 'the server is on this machine', '*': 'the host is {value}' },
  'call.hostName': 'the host is `{value}`',
  'call.includeDocs': ['`include_docs` is set here', '`include_docs` is not set'],
  'call.isOnlyCounted': ['only the number of rows is used', 'more than the number of rows is used'],
  'call.isSetUp': ['the code runs once', 'the code runs more than once'],
  'call.isPlainHttp': ['the address begins with `http:`', 'the address begins with `https:`'],
  'call.isPolled': ['this timer repeats the call', 'no timer repeats the call'],
  'call.keepsListening': ['the feed goes on', 'the feed ends with the last change'],
  'call.limit': 'the limit is {value} {row|rows}',
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
  'call.pollIntervalMs': 'the interval is {value}',
  'call.since': {
    now: 'the feed begins now',
    start: 'the feed begins with the first change',
    '*': 'the feed begins where it ended',
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
