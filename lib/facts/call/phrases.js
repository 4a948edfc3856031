// What a finding says of a fact about a call, and about the calls of a view, where that fact stands at another place.

/** @import { Phrases } from '../phrases.js' */

/** @type {Readonly<Record<string, Phrases>>} */
export const CALL_PHRASES = {
  'call.asksOneKey': ['the call has one key', 'the call has no single key'],
  'call.docFields': 'the program reads {value}',
  'call.findIsServed': ['this index serves the query', 'no index of the project serves the query'],
  'call.hasLimit': ['the call has a limit', 'the call has no limit'],
  'call.includeDocs': ['`include_docs` is set here', '`include_docs` is not set'],
  'call.indexForFind': { none: 'no index would give a range of keys', '*': 'an index would have {value}' },
  'call.isOnlyCounted': ['only the number of rows is used', 'more than the number of rows is used'],
  'call.isSetUp': ['the code runs once', 'the code runs more than once'],
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
  'call.nearestView': { none: 'no view has a name that is near', '*': 'the nearest name is `{value}`' },
  'call.selectorIsEmpty': ['the selector matches every document', 'the selector does not match every document'],
  'call.selectorTestsId': ['the selector compares `_id`', 'the selector does not compare `_id`'],
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
  'call.viewExists': ['the design document has the view', 'the design document does not have the view'],
  'call.viewIsRead': ['the view was read', 'the view was not read'],
  'view.isQueriedByCode': ['the code queries it here', 'the code does not query it'],
  'view.isReducedByCode': ['the code uses its reduce here', 'the code does not use its reduce'],
  'view.siblingIsQueriedByCode': [
    'the code queries a view of its design document here',
    'the code queries no view of its design document',
  ],
};
