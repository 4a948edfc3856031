// Lists every fact that rules may name.

import { buildFacts } from './build.js';
import { callFacts } from './call/call.js';
import { callConnectionFacts } from './call/connection.js';
import { callFeedFacts } from './call/feed.js';
import { callFindIndexFacts } from './call/find-index.js';
import { callLoopFacts } from './call/loop.js';
import { callMissingViewFacts } from './call/missing-view.js';
import { callOptionFacts } from './call/options.js';
import { callReadingFacts } from './call/reading.js';
import { callRejectionFacts } from './call/rejection.js';
import { callResultFacts } from './call/result.js';
import { callRevisionFacts } from './call/revisions.js';
import { callTemporaryFacts } from './call/temporary.js';
import { callWriteFacts } from './call/write.js';
import { changeFacts } from './change.js';
import { containerFacts } from './container.js';
import { designDocBackgroundFacts } from './design-doc/background.js';
import { designDocFacts } from './design-doc/design-doc.js';
import { designDocLanguageFacts } from './design-doc/language.js';
import { designDocSpellingFacts } from './design-doc/spelling.js';
import { filterFacts } from './filter.js';
import { functionEvidenceFacts, viewEvidenceFacts } from './function/evidence.js';
import { functionFacts } from './function/function.js';
import { functionNeedFacts } from './function/needs.js';
import { functionRowFacts } from './function/rows.js';
import { ignoreFacts } from './ignore.js';
import { databaseFacts } from './live/database.js';
import { findQueryFacts } from './live/find-query.js';
import { nodeFacts } from './live/node.js';
import { viewIndexFacts } from './live/view-index.js';
import { bulkLoadFacts } from './load/load.js';
import { logFacts } from './log/log.js';
import { serverReportFacts } from './log/server-reports.js';
import { indexFacts } from './mango/index.js';
import { indexTwinFacts } from './mango/twins.js';
import { reduceChangeFacts } from './reduce/changes.js';
import { reduceProofFacts } from './reduce/proof.js';
import { reduceFacts } from './reduce/reduce.js';
import { replicationFacts } from './replication.js';
import { requestFetchFacts } from './request/fetch.js';
import { requestHintFacts } from './request/hint.js';
import { requestPartFacts } from './request/parts.js';
import { requestFacts } from './request/request.js';
import { requestSelectorFacts } from './request/selector.js';
import { requestSortFacts } from './request/sort.js';
import { requestViewFacts } from './request/view.js';
import { runFacts } from './run.js';
import { searchIndexFacts } from './search-index.js';
import { deadOptionFacts } from './server/dead-options.js';
import { serverLimitFacts } from './server/limits.js';
import { serverFacts } from './server/server.js';
import { validateFacts } from './validate.js';
import { viewAbsentMemberFacts } from './view/absent-members.js';
import { viewCodeUseFacts } from './view/code-use.js';
import { viewCopyFacts } from './view/copies.js';
import { viewDuplicateFacts } from './view/duplicates.js';
import { viewMapFacts } from './view/map.js';
import { viewNotNumberFacts } from './view/not-numbers.js';
import { viewPlainFacts } from './view/plain.js';
import { viewReduceRequestFacts } from './view/reduce-requests.js';
import { viewRequestFacts } from './view/requests.js';
import { viewRowFacts } from './view/rows.js';
import { viewValueFieldFacts } from './view/value-fields.js';
import { functionWitnessFacts, viewWitnessFacts } from './view/witness.js';

/** @import { FactDeclaration, Subject } from './fact.js' */

/** Facts by id. @typedef {ReadonlyMap<string, FactDeclaration>} FactCatalog */

/** Only collects: each fact is declared beside its extractor. The order is that of the documentation. @type {FactCatalog} */
export const factCatalog = new Map(
  [
    ...runFacts,
    ...designDocFacts,
    ...designDocSpellingFacts,
    ...designDocLanguageFacts,
    ...designDocBackgroundFacts,
    ...viewDuplicateFacts,
    ...viewMapFacts,
    ...viewNotNumberFacts,
    ...viewCopyFacts,
    ...viewValueFieldFacts,
    ...viewPlainFacts,
    ...viewAbsentMemberFacts,
    ...viewRowFacts,
    ...reduceFacts,
    ...reduceChangeFacts,
    ...reduceProofFacts,
    ...viewRequestFacts,
    ...viewReduceRequestFacts,
    ...viewCodeUseFacts,
    ...viewEvidenceFacts,
    ...viewWitnessFacts,
    ...functionFacts,
    ...functionNeedFacts,
    ...functionRowFacts,
    ...functionEvidenceFacts,
    ...functionWitnessFacts,
    ...filterFacts,
    ...validateFacts,
    ...searchIndexFacts,
    ...indexFacts,
    ...indexTwinFacts,
    ...serverFacts,
    ...serverLimitFacts,
    ...deadOptionFacts,
    ...containerFacts,
    ...replicationFacts,
    ...bulkLoadFacts,
    ...requestFacts,
    ...requestPartFacts,
    ...requestViewFacts,
    ...requestSelectorFacts,
    ...requestSortFacts,
    ...requestHintFacts,
    ...requestFetchFacts,
    ...callFacts,
    ...callLoopFacts,
    ...callOptionFacts,
    ...callReadingFacts,
    ...callRejectionFacts,
    ...callResultFacts,
    ...callRevisionFacts,
    ...callTemporaryFacts,
    ...callFeedFacts,
    ...callConnectionFacts,
    ...callWriteFacts,
    ...callMissingViewFacts,
    ...callFindIndexFacts,
    ...buildFacts,
    ...logFacts,
    ...serverReportFacts,
    ...changeFacts,
    ...nodeFacts,
    ...databaseFacts,
    ...viewIndexFacts,
    ...findQueryFacts,
    ...ignoreFacts,
  ].map((declaration) => [declaration.id, declaration]),
);

/**
 * @param {Iterable<Subject['kind']>} kinds
 * @returns {FactCatalog} the facts about subjects of these kinds
 */
export function factsAbout(kinds) {
  const wanted = new Set(kinds);
  return new Map([...factCatalog].filter(([, { subject }]) => wanted.has(subject)));
}
