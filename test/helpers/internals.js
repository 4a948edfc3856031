// What many tests need of modules that no surface shows. Imported here alone, so that a move of one of these modules touches no test.

export { factCatalog } from '../../lib/facts/catalog.js';
export { bindingAt, resolveNames } from '../../lib/javascript/names.js';
export { bare, parseFile, parseFunction, parseModule } from '../../lib/javascript/parse.js';
export {
  documentId,
  makeDocument,
  makeExamples,
  makeLoad,
  makeRequests,
} from '../../lib/measure/experiments/workload.js';
export { emittedValues } from '../../lib/proof/emitted-values.js';
export { proveReduce } from '../../lib/proof/prove.js';
export { drawChart, renderHtmlDocument, renderInside } from '../../lib/reports/document/html.js';
export { renderMarkdownDocument } from '../../lib/reports/document/markdown.js';
export { renderTextDocument } from '../../lib/reports/document/text.js';
export { openSandbox } from '../../lib/sandbox/sandbox.js';
export { createRandom, randomFrom, randomInteger, shuffle } from '../../lib/shared/seeded-random.js';
export { readJson } from '../../lib/sources/design-docs/json.js';
export { member, nodePlace } from '../../lib/sources/record.js';
