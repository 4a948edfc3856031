// What a finding says of a fact that it rests on, where that fact stands at another place: `CORS is enabled here`.

import { CALL_PHRASES } from './call/phrases.js';

/** @import { KnownFact } from './fact.js' */

/**
 * A phrase for each value of a fact: a text for all (`{value}`, `{row|rows}` by the number), a pair for true and false, an object for texts (`*`: others).
 * @typedef {string | [whenTrue: string, whenFalse: string] | Readonly<Record<string, string>>} Phrases
 */

/** @type {Readonly<Record<string, Phrases>>} */
const OF_CONFIGURATIONS = {
  'config.allowsJsonp': ['JSONP is enabled here', 'JSONP is not enabled'],
  'config.bindsEverywhere': ['the server listens on all addresses', 'the server does not listen on all addresses'],
  'config.corsIsEnabled': ['CORS is enabled here', 'CORS is not enabled'],
  'config.defaultSecurity': {
    everyone: 'everyone may use new databases',
    unset: '`default_security` is not set',
    '*': '`default_security` is `{value}`',
  },
  'config.erlangIsEnabled': ['Erlang functions are enabled here', 'Erlang functions are not enabled'],
  'config.hasAdmins': ['server admins are set here', 'no server admin is set'],
  'config.needsUser': ['every request needs a user', 'requests need no user'],
  'config.osProcessLimit': 'up to {value} query server {process|processes} may run',
  'config.osProcessTimeoutMs': 'query servers time out after {value}',
  'config.passwordIterations': 'passwords are hashed in {value} {iteration|iterations}',
  'config.passwordScheme': 'the password scheme is `{value}`',
  'config.reduceLimit': { unset: '`reduce_limit` is not set', '*': '`reduce_limit` is `{value}`' },
  'config.setsUuidAlgorithm': ['the UUID algorithm is set here', 'no UUID algorithm is set'],
  'config.uuidAlgorithmIsKnown': ['this version has the algorithm', 'this version does not have the algorithm'],
  'config.uuidAlgorithmIsRandom': ['the algorithm creates random ids', 'the algorithm creates ids in order'],
  'config.uuidSuffixIsMissing': ['`utc_id_suffix` is not set', '`utc_id_suffix` is not missing'],
  'target.engine': 'the JavaScript engine is `{value}`',
  'target.version': 'the target is CouchDB {value}',
};

/** @type {Readonly<Record<string, Phrases>>} */
const OF_DESIGN_DOCUMENTS = {
  'change.isSameCode': ['only the spelling changes', 'the code changes'],
  'change.isSmallDatabase': ['the database is small', 'the database is not small'],
  'ddoc.hasLists': ['the design document has list functions', 'the design document has no list functions'],
  'ddoc.indexUpkeep': {
    server: 'the server keeps the indexes up to date',
    readers: '`autoupdate` is off, so queries update the indexes',
    'server-in-spite': 'this value of `autoupdate` does not turn it off',
    nobody: 'there are no views to update',
  },
  'ddoc.isJavaScript': ['the design document is JavaScript', 'the design document is not JavaScript'],
  'ddoc.isPartitioned': ['the design document is partitioned', 'the design document is not partitioned'],
  'ddoc.languageState': {
    offered: 'this version has the language',
    later: 'only newer versions have the language',
    misspelt: 'the name of the language is misspelled',
    off: 'the language is disabled',
    unread: 'this version does not read the setting of the language',
  },
  'ddoc.latencySpread': 'p95 is {value} times the median',
  'ddoc.usesQueryServer': ['a query server runs its functions', 'it has no functions for a query server'],
  'ddoc.viewCount': 'the design document has {value} {view|views}',
  'filter.fitsSelector': ['a selector passes the same changes', 'no selector passes the same changes'],
  'filter.mentionsDeleted': ['the filter checks `_deleted`', 'the filter does not check `_deleted`'],
  'filter.rejectsTombstones': ['the filter rejects deletions', 'the filter passes deletions'],
  'function.changesWithClock': ['rows depend on the clock', 'rows do not depend on the clock'],
  'function.changesWithZone': ['rows depend on the time zone', 'rows do not depend on the time zone'],
  'function.rolloverIsShown': ['a generated document shows it', 'no generated document shows it'],
  'function.failsOnEveryEngine': ['no engine of this version runs it', 'some engine of this version runs it'],
  'function.failsOnSomeEngine': ['some engine of this version does not run it', 'every engine of this version runs it'],
  'function.isFunction': ['this is a function', 'this is not a function'],
  'function.isLoaded': ['a function requires this module', 'no function requires this module'],
  'function.nameBlocksCompilation': ['the function has a name', 'no name keeps the function from compiling'],
  'function.parses': ['the function parses', 'the syntax error is here'],
  'function.role': {
    library: 'this is a CommonJS module',
    validate: 'this is a validation function',
    rewrite: 'this is a rewrite function',
    search: 'this is a search index function',
    update: 'this is an update function',
    '*': 'this is a {value} function',
  },
  'function.throwingDocuments': 'throws on {value} of the given documents',
  'reduce.addsDataKeys': ['keys come from the data here', 'no keys come from the data'],
  'reduce.builtinFamily': 'the built-in that matches is of the `{value}` family',
  'reduce.builtinIsAvailable': ['this version has the built-in', 'this version does not have the built-in'],
  'reduce.conditionHolds': {
    always: 'the map always meets the condition',
    if: 'it is uncertain whether the condition holds',
    not: 'the map does not meet the condition',
  },
  'reduce.differsBy': { rereduce: 'the result depends on the grouping', order: 'the result depends on the order' },
  'reduce.documentsMeetCondition': ['all documents meet the condition', 'a document does not meet the condition'],
  'reduce.growsWithDistinctValues': [
    'the result grows with the number of distinct values',
    'the result does not grow with distinct values',
  ],
  'reduce.growsWithRows': ['the result grows with the number of rows', 'the result does not grow with the rows'],
  'reduce.isEmpty': ['the reduce is empty', 'the reduce is not empty'],
  'reduce.isProved': ['this follows from the code of the reduce', 'trials of the reduce show this'],
  'reduce.kind': {
    none: 'the view has no reduce',
    builtin: 'the reduce is a built-in',
    prefix: 'the name only begins like a built-in',
    padded: 'there are spaces before the name',
    'bad-rank': 'the number behind the name is not valid',
    'unknown-builtin': 'no built-in has this name',
    custom: 'the reduce is written in JavaScript',
    other: 'the reduce is of another kind',
  },
  'reduce.pattern': {
    states: 'the reduce counts or sums by a list of names',
    rounding: 'the reduce rounds the sum in each pass',
    pick: 'the reduce picks one row by its key',
  },
  'reduce.runsBuiltin': { none: 'the reduce runs no built-in', '*': 'the reduce is `{value}`' },
  'reduce.usesRereduce': ['the reduce checks `rereduce`', 'the reduce never checks `rereduce`'],
  'reduce.verdict': {
    equal: 'the reduce equals a built-in',
    equalAfterRewrite: 'the reduce equals a built-in after a rewrite of the map',
    wrong: 'the result depends on how rows are grouped or ordered',
    grows: 'the result grows with its input',
    custom: 'the reduce equals no built-in',
  },
  'validate.acceptsAnonymous': ['a write without a user is accepted here', 'writes without a user are treated alike'],
  'validate.alwaysFails': ['it fails for every write', 'it can complete'],
  'validate.canReject': ['it can reject a write', 'it can never reject a write'],
  'validate.refusesDeletes': ['it refuses deletions here', 'it does not refuse deletions'],
};

/** @type {Readonly<Record<string, Phrases>>} */
const OF_VIEWS = {
  'view.copiesDocs': ['the whole document is emitted here', 'no whole document is emitted'],
  'view.docCount': 'the database has {value} {document|documents}',
  'view.duplicateIsSameDatabase': ['both are in one database', 'they may be in different databases'],
  'view.emitsMissingValue': ['no value is emitted here', 'every row has a value'],
  'view.emittingDocuments': 'emits rows for {value} {document|documents}',
  'view.fitsMangoIndex': ['a Mango index can have the same rows', 'no Mango index has the same rows'],
  'view.hasLocalSeq': ['the design document sets `local_seq`', 'the design document does not set `local_seq`'],
  'view.idFilter': {
    none: 'every document is emitted',
    prefix: 'ids are filtered by a prefix',
    '*': 'rows are filtered',
  },
  'view.idKey': {
    whole: 'the key is the id',
    parts: 'the key is made of parts of the id',
    '*': 'the key is not the id',
  },
  'view.isLogged': ['the logs have requests to its views', 'the logs have no requests to its views'],
  'view.isReadInOrder': ['ranges of it are read', 'it is read by key only'],
  'view.isSortedByBytes': ['its collation is `raw`', 'its collation is the default'],
  'view.logKnowsProject': ['the logs have requests to these design documents', 'the logs have no such requests'],
  'view.lookBackDays': 'the logs cover {value} {day|days}',
  'view.mapIsEmpty': ['the map is empty', 'the map is not empty'],
  'view.meanDocBytes': 'documents have {value} on average',
  'view.neverEmits': ['the map never emits', 'the map emits'],
  'view.nullMember': { none: 'no null passes the check of a type', '*': '`{value}` may be null here' },
  'view.ratePerMinuteMean': '{value} {request|requests} a minute',
  'view.reduceOffRequestCount': '{value} {request|requests} with `reduce=false`',
  'view.reducedRequestCount': '{value} reduced {request|requests}',
  'view.refusedDocsCount': '{value} refused {request|requests} with `include_docs`',
  'view.refusedRows': 'the built-in rejects {value} {value|values}',
  'view.requestCount': '{value} {request|requests}',
  'view.sharesIndex': ['another view shares its index', 'no other view shares its index'],
  'view.siblingRequestCount': '{value} {request|requests} to views of the design document',
  'view.throwingDocuments': 'the map throws on {value} {document|documents}',
  'view.triedDocuments': 'the map was tried on {value} {document|documents}',
  'view.valueArrayLengthsDiffer': ['an array of another length is emitted here', 'all arrays have one length'],
  'view.valueGuardedByTruthiness': ['the value is only checked for truthiness', 'not every value is checked'],
  'view.valueMissingStatsFields': [
    'an object without all `_stats` members is emitted',
    'all `_stats` members are there',
  ],
  'view.valueMixesNumberAndObject': ['an object is emitted here', 'numbers and objects are not mixed'],
  'view.valueObjectHasErrorKey': ['an object with `error` is emitted here', 'no object with `error` is emitted'],
  'view.valueType': {
    'maybe-number': 'the value may not be a number',
    array: 'the value is an array',
    object: 'the value is an object',
    null: 'the value is null',
    document: 'the value is the document',
    mixed: 'values of different types are emitted',
    '*': 'the value is a {value}',
  },
  'view.witnessChange': {
    missing: 'throws where a member is missing',
    nothing: 'no change makes it throw',
    '*': 'throws where a member is {value}',
  },
};

/** @type {Readonly<Record<string, Phrases>>} */
const OF_REQUESTS = {
  'build.msMax': 'the longest build of one shard took {value}',
  'build.slowdown': 'the slowest request took {value} times the median',
  'build.slowestRequestMs': 'the slowest request took {value}',
  'log.queryServerFailureCount': '{value} {failure|failures} of query servers',
  'request.asksRevision': ['the query returns `_rev`', 'the query does not return `_rev`'],
  'request.bytesMean': 'responses of {value} on average',
  'request.conflictShare': '{value} of the responses are conflicts',
  'request.count': '{value} {request|requests} in the logs',
  'request.distinctKeys': '{value} different {key|keys} requested',
  'request.endpoint': 'the endpoint is `{value}`',
  'request.feed': 'the feed is `{value}`',
  'request.filterFitsSelector': ['a selector passes the same changes', 'no selector passes the same changes'],
  'request.filterKind': {
    none: 'changes are not filtered',
    builtin: 'the filter is built in',
    view: 'a map is the filter',
    javascript: 'the filter is written in JavaScript',
  },
  'request.findDocsExamined': 'examines {value} {document|documents} on average',
  'request.findDocsPerResult': 'examines {value} {document|documents} per result',
  'request.findIndex': {
    usable: 'this index can serve the query',
    'missing-columns': 'this index could serve the query if the selector named all its fields',
    none: 'no index can serve the query',
  },
  'request.findIsCovered': ['the index covers the query', 'this index does not cover the query'],
  'request.findRangeBeforeEqual': [
    'a range field comes before an equality field in this index',
    'equality fields come first in this index',
  ],
  'request.groups': ['the query groups', 'the query does not group'],
  'request.hasBookmark': ['the query uses a bookmark', 'the query uses no bookmark'],
  'request.hasHint': ['the query names an index', 'the query names no index'],
  'request.hasKey': ['one key is requested', 'no single key is requested'],
  'request.hasKeys': ['a list of keys is requested', 'no list of keys is requested'],
  'request.hasLimit': ['every request has a limit', 'not every request has a limit'],
  'request.hasSince': ['requests have `since`', 'requests lack `since`'],
  'request.hasSort': ['the query sorts', 'the query does not sort'],
  'request.hintFit': {
    usable: 'this index can serve the query',
    unusable: 'this index cannot serve the query',
    'unknown-name': 'no index has that name',
  },
  'request.hintIsTaken': ['CouchDB used the named index', 'CouchDB did not use the named index'],
  'request.hintMayFallBack': ['CouchDB may use another index', 'CouchDB may use no other index'],
  'request.includeDocs': ['requests have `include_docs=true`', 'requests have no `include_docs`'],
  'request.isBounded': ['every request is bounded', 'not every request is bounded'],
  'request.isPartitioned': ['one partition is queried', 'all partitions are queried'],
  'request.isReplication': ['the replicator sends these requests', 'clients send these requests'],
  'request.lacksRevisionAlone': ['this index has everything but `_rev`', 'this index lacks more than `_rev`'],
  'request.latencyMsP50': 'the median is {value}',
  'request.latencyMsP95': 'p95 is {value}',
  'request.method': 'the method is `{value}`',
  'request.misspeltParameter': { none: 'every parameter is known', '*': 'the parameter `{value}` is unknown' },
  'request.ratePerMinuteBusy': '{value} {request|requests} a minute when busy',
  'request.ratePerMinuteMean': '{value} {request|requests} a minute on average',
  'request.ratePerMinutePeak': '{value} {request|requests} in the busiest minute',
  'request.readQuorum': '{value} {copy|copies} of each document are read',
  'request.reduceIsOff': ['requests have `reduce=false`', 'requests do not turn the reduce off'],
  'request.reduces': ['the view has this reduce', 'the result is not reduced'],
  'request.refusalCause': {
    'docs-of-reduce': 'this reduce rules out `include_docs`',
    'no-partition': 'the design document is partitioned',
    '*': 'nothing read explains the status',
  },
  'request.refusedShare': '{value} of the requests are refused',
  'request.rowsAtMostP50': 'up to {value} {row|rows} per response',
  'request.rowsCountedP50': '{value} {row|rows} per response',
  'request.rowsP50': '{value} {row|rows} per response',
  'request.rowsPerMinuteBusy': '{value} {row|rows} a minute when busy',
  'request.selectorHasRange': ['the selector has a range', 'the selector has no range'],
  'request.selectorIsEmpty': ['the selector is empty', 'the selector is not empty'],
  'request.selectorIsOnId': ['the selector has a range of `_id`', 'the selector has no range of `_id`'],
  'request.serverErrorShare': '{value} of the responses are server errors',
  'request.skipP95': '`skip` is up to {value} in 95 % of the requests',
  'request.sortDirectionsDiffer': ['the sort mixes directions', 'the sort has one direction'],
  'request.sortIndex': { usable: 'this index gives the order', none: 'no index gives the order' },
  'request.stale': '`stale` is `{value}`',
  'request.viewEmitsLinkedDoc': ['the view emits `_id` of another document', 'the view emits no other `_id`'],
  'request.viewEmitsWholeDoc': ['the view emits the whole document', 'the view does not emit the whole document'],
  'request.viewIsRead': ['the view is defined here', 'the view was not read'],
  'request.viewReduceIsProvedEqual': ['the reduce equals a built-in', 'the reduce is not known to equal a built-in'],
  'request.viewReduceKind': {
    none: 'the view has no reduce',
    builtin: 'the reduce is a built-in',
    custom: 'the reduce is written in JavaScript',
    '*': 'the reduce is defined here',
  },
};

/** @type {Readonly<Record<string, Phrases>>} */
const OF_LOADS_INDEXES_AND_SERVERS = {
  'find.boundsId': ['the query bounds `_id`', 'the query does not bound `_id`'],
  'find.indexType': { special: 'CouchDB uses no index', '*': 'CouchDB uses a `{value}` index' },
  'find.namesIds': ['the query lists ids', 'the query lists no ids'],
  'find.readsAllDocs': ['no index serves the query', 'an index serves the query'],
  'find.readsWholeIndex': ['the whole index is read', 'a range of the index is read'],
  'ignore.hasKnownForm': ['the comment is a known one', 'the comment is not a known one'],
  'ignore.hasNearestRule': ['a rule has a similar id', 'no rule has a similar id'],
  'ignore.namesKnownRule': ['the rule exists', 'no rule has this id'],
  'ignore.namesRule': ['the comment names a rule', 'the comment names no rule'],
  'ignore.silencedCount': 'silences {value} {finding|findings}',
  'index.filterIsMisplaced': ['the filter is outside of `index`', 'the filter is in place'],
  'index.hasMixedDirections': ['the directions of the fields differ', 'all fields have one direction'],
  'index.type': 'this is a `{value}` index',
  'load.batchBytesMax': 'the largest request has {value}',
  'load.batchSizeMax': 'the largest request has {value} {document|documents}',
  'load.batchSizeP50': 'half of the requests have at most {value} {document|documents}',
  'load.docBytesMax': 'the largest document has {value}',
  'load.docBytesP50': 'the median document has {value}',
  'load.docCount': '{value} {document|documents} in the load',
  'load.idKind': 'most ids are of the kind `{value}`',
  'load.idScatterShare': '{value} of the inserts hit another B-tree leaf',
  'load.indexIdShare': '{value} of the ids look like those of index documents',
  'load.isRestore': ['the load restores a backup', 'the load does not restore a backup'],
  'load.revisionShare': '{value} of the documents are updates',
  'load.serverAssignedShare': '{value} of the documents have no `_id`',
  'load.serverIdsAreRandom': ['the server creates random ids', 'the server creates ids in order'],
  'load.singleWriteShare': '{value} of the documents are sent alone',
  'database.activeBytes': '{value} of the database are in use',
  'database.deletedCount': '{value} {tombstone|tombstones}',
  'database.deletedShare': '{value} of the documents are tombstones',
  'database.docCount': 'the database has {value} {document|documents}',
  'database.fileTimesActive': 'the files are {value} times the data in use',
  'database.isCompacting': ['a compaction is running', 'no compaction is running'],
  'database.isPublic': ['`_security` names no members', '`_security` names members'],
  'database.serverDatabaseCount': 'the server has {value} {database|databases}',
  'database.serverNeedsUser': ['every request needs a user', 'requests need no user'],
  'database.shardCount': 'the database has {value} {shard|shards}',
  'database.shardFileBytes': 'a shard has {value} on average',
  'database.shardsTimesWanted': 'the database has {value} times the shards it needs',
  'node.passwordCheckCount': '{value} {password was|passwords were} checked',
  'node.slowPasswordShare': '{value} of the passwords were hashed again',
  'viewindex.activeBytes': '{value} of the index are in use',
  'viewindex.fileTimesActive': 'the files are {value} times the data in use',
  'viewindex.isCompacting': ['a compaction is running', 'no compaction is running'],
  'viewindex.isUpdatedAlone': ['the server updates the index by itself', 'only queries update the index'],
  'viewindex.isUpdating': ['a build is running', 'no build is running'],
  'viewindex.pendingCount': '{value} {change is|changes are} not indexed yet',
  'viewindex.shardFileBytes': 'a shard of the index has {value} on average',
  'viewindex.shareOfData': 'the index is {value} of the size of the data',
};

/** Of lists there is a phrase for each item. @type {Readonly<Record<string, Phrases>>} */
const OF_ITEMS = {
  'config.databasesWithAdmins': '{value} has admins of its own',
  'config.erlangDesignDocs': '{value} is written in Erlang',
  'config.publicDatabases': '{value} is public',
  'database.singleViewDesignDocs': '{value} has one view',
  'database.validatingDesignDocs': '{value} has a `validate_doc_update`',
  'ddoc.customReduces': 'the reduce of {value} is written in JavaScript',
  'ddoc.deprecatedMembers': '{value} is deprecated',
  'filter.unguardedReads': '{value} may be missing',
  'find.narrowlyMissedIndexes': 'the query lacks a field of {value}',
  'function.carriedState': '{value} is kept between documents',
  'index.twins': '{value} has the same fields',
  'node.downNodes': '{value} is down',
  'reduce.rereduceFaults': '{value} is wrong in a rereduce',
  'reduce.sharedValuesViews': 'the reduce of {value} gets the same array',
  'request.hintFilterFields': 'the filter of this index tests {value}',
  'request.uncoveredFields': 'this index lacks {value}',
  'request.unnamedPartialIndexes': '{value} could serve the query',
  'validate.badThrows': '{value} returns 500 too',
  'validate.unguardedReads': '{value} may be null or missing',
  'view.duplicateElsewhere': '{value} has the same map',
  'view.duplicateInDocument': '{value} has the same map',
  'view.otherCopies': '{value} emits the same documents',
  'view.unguardedReads': '{value} may be missing',
  'view.unguardedReadsBehindTypeTest': '{value} may be missing',
  'view.valueFieldsUnguarded': '{value} is not checked',
  'view.valuesNaNIfMissing': '{value} may be NaN',
  'viewindex.wholeDocViews': '{value} emits whole documents',
};

/** @type {Readonly<Record<string, Phrases>>} */
const PHRASES = {
  ...OF_CONFIGURATIONS,
  ...OF_DESIGN_DOCUMENTS,
  ...OF_VIEWS,
  ...OF_REQUESTS,
  ...CALL_PHRASES,
  ...OF_LOADS_INDEXES_AND_SERVERS,
  ...OF_ITEMS,
};

/**
 * @param {string} id of a fact
 * @param {KnownFact['value']} value of a list, that of one item
 * @param {string} shown the value as a sentence shows it
 * @returns {string} what is so; empty where there are no words for it, so that the place has to do
 */
export function phraseOf(id, value, shown) {
  return choose(PHRASES[id] ?? '', value)
    .replace(/\{([^{}|]*)\|([^{}|]*)\}/g, (_, one, many) => (value === 1 ? one : many))
    .replaceAll('{value}', () => shown);
}

/**
 * @param {Phrases} phrases
 * @param {KnownFact['value']} value
 * @returns {string}
 */
function choose(phrases, value) {
  if (typeof phrases === 'string') return phrases;
  if (Array.isArray(phrases)) return phrases[value === true ? 0 : 1];
  return phrases[Object.hasOwn(phrases, String(value)) ? String(value) : '*'] ?? '';
}
