// `couch-advisor predict`: predicts without a server how large a load makes a database; as it is, and as it could be.

import path from 'node:path';
import { findShards } from '../../../engine/run/target.js';
import { documentFormats } from '../../../reports/document/index.js';
import { batchChart, predictDocument, predictJson } from '../../../reports/predict.js';
import { describeTarget } from '../../../reports/report.js';
import { UserError } from '../../../shared/user-error.js';
import { compareVersions } from '../../../shared/version.js';
import { sampleDocuments } from '../../../sources/loads/sample-documents.js';
import { DEFAULT_SHARDS } from '../../../storage-model/constants.js';
import { predict } from '../../../storage-model/predict.js';
import { ServerIds } from '../../../storage-model/server-ids.js';
import { loadConfig } from '../../config.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { findRate } from '../../measured-rate.js';
import { findServerOf, prepare, targetOf } from '../../prepare.js';
import { writePictures } from '../../write-pictures.js';
import { collectLoad } from './collect-load.js';
import { predictViews } from './predict-views.js';

/** @import { Target } from '../../../facts/fact.js' */
/** @import { PredictReport } from '../../../reports/predict.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { LoadCollector } from './collect-load.js' */

/**
 * @typedef {object} PredictCommandOptions
 * @property {string[]} [docs]
 * @property {string[]} [batch]
 * @property {number} [shards]
 * @property {string} [target]
 * @property {number} [count]
 * @property {string[]} [format]
 * @property {string[]} [output]
 * @property {string} [svg]
 * @property {boolean} [color]
 * @property {string[]} [views] paths of design documents and Mango indexes
 * @property {number} [docsPerSecond]
 */

/** What is compared where nothing is said. */
const USUAL_BATCHES = [10, 100, 1000, 10_000];
const USUAL_BATCH = 1000;
const MAX_SHARDS = 256;
/** Documents that the maps of --views are run on. */
const MAX_SAMPLED = 20_000;
/** Fewer documents in a request cost time and say little: a million requests for a million documents. */
const LARGEST_BATCH = 10_000_000;

const formats = documentFormats(predictDocument, predictJson);

/**
 * @param {PredictCommandOptions} options
 * @param {string[]} given files, as `--docs`
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where there is nothing to predict
 */
export async function run(options, given, surroundings) {
  const { cwd, stderr } = surroundings;
  const destinations = readDestinations(options, formats);
  const patterns = [...(options.docs ?? []), ...given];
  if (patterns.length === 0) {
    throw new UserError('nothing-to-read', 'no document files given', {
      hint: 'npx --no-install couch-advisor predict --docs load.jsonl --batch 1000',
    });
  }
  const batches = readBatches(options.batch ?? []);
  const server = await readServer(options, cwd);
  const { shards } = server;
  const { collector, errors, files } = await collectLoad(patterns, cwd);
  stderr.write(errors.map(describeError).join(''));
  const { table } = collector;
  if (table.count === 0) {
    // What is wrong with the files was reported already.
    if (errors.length > 0) return EXIT.INCOMPLETE;
    throw nothingToPredict(collector);
  }
  if (table.count === 1 && collector.counts.withoutId === 1) {
    throw new UserError(
      'no-documents',
      `${path.relative(cwd, files[0] ?? '')} holds a single object without \`_id\`, which is not a load`,
      {
        hint: 'use JSON lines, _bulk_docs bodies or a dump',
      },
    );
  }
  const requestEnds = batches.length === 0 ? collector.ownRequests : undefined;
  const [first = USUAL_BATCH] = batches;
  const others = batches.length > 1 ? batches.slice(1) : USUAL_BATCHES.filter((batch) => batch !== first);
  const columns = table.columns();
  const prediction = predict(columns, {
    shards,
    batches: requestEnds ? USUAL_BATCHES : [first, ...others],
    requestEnds,
    count: Math.max(options.count ?? 0, table.count + collector.counts.beyond),
  });
  /** @type {PredictReport} */
  const report = {
    sources: files.map((file) => path.relative(cwd, file) || file),
    documents: table.count,
    jsonBytes: table.jsonBytes,
    ...server,
    batch: requestEnds ? undefined : first,
    guessed: table.guessed,
    counts: collector.counts,
    prediction,
  };
  if (options.views) report.indexes = await predictIndexes(options, { files, report, errors }, surroundings);
  await writeReports(report, destinations, options, surroundings);
  if (options.svg !== undefined) await writePictures(options.svg, [batchChart(report)], cwd);
  return errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/**
 * @param {PredictCommandOptions} options
 * @param {{files: string[], report: PredictReport, errors: {code: string, message: string}[]}} load
 * @param {Surroundings} surroundings
 * @returns {Promise<NonNullable<PredictReport['indexes']>>}
 * @throws {UserError} where the paths hold no index
 */
async function predictIndexes({ views = [], count, docsPerSecond }, { files, report, errors }, surroundings) {
  const { opened, settings, config } = await prepare({ target: report.target.version }, views, surroundings);
  surroundings.stderr.write(opened.errors.map(describeError).join(''));
  errors.push(...opened.errors);
  const serverIds = new ServerIds();
  const documents = (await sampleDocuments(files, MAX_SAMPLED)).map((document) => {
    const id = typeof document['_id'] === 'string' ? document['_id'] : serverIds.next();
    return { ...document, _id: id };
  });
  const total = Math.max(count ?? 0, report.documents + report.counts.beyond);
  const rate = findRate(docsPerSecond, config.documentsPerSecond, surroundings.env);
  const about = { documents, total, shards: report.shards, rate, target: settings.target };
  const list = await predictViews(opened.records, about);
  if (list.length === 0 && opened.errors.length === 0) {
    throw new UserError('nothing-found', 'no views and no Mango indexes in the paths of --views', {
      hint: 'for example: --views ddocs/orders.json',
    });
  }
  return { list, documents: total, sampled: documents.length, rate: rate?.from };
}

/**
 * @param {string[]} written numbers, or lists of them with commas
 * @returns {number[]} without those that came before
 * @throws {UserError}
 */
function readBatches(written) {
  const texts = written.flatMap((text) => text.split(','));
  const batches = texts.map((text) => {
    const batch = /^\s*\d{1,8}\s*$/.test(text) ? Number(text) : 0;
    if (batch >= 1 && batch <= LARGEST_BATCH) return batch;
    throw new UserError('bad-number', `invalid --batch \`${text}\`: must be numbers of documents`, {
      hint: 'for example: --batch 1000 or --batch 100,1000,10000',
    });
  });
  return [...new Set(batches)];
}

/** @param {number} shards @returns {number} @throws {UserError} */
function readShards(shards) {
  if (shards >= 1 && shards <= MAX_SHARDS) return shards;
  throw new UserError('bad-number', `invalid --shards ${shards}: must be between 1 and ${MAX_SHARDS}`, {
    hint: "CouchDB's default is 2",
  });
}

/**
 * @param {PredictCommandOptions} options
 * @param {string} cwd
 * @returns {Promise<{target: Target, shards: number, shardsFile?: string}>} of the database, as the options or the files of the project say
 * @throws {UserError} where the model does not know the version
 */
async function readServer(options, cwd) {
  const config = await loadConfig({ cwd, config: undefined });
  const target = targetOf(options, config, await findServerOf(config, options, { cwd }));
  if (compareVersions(target.version, '3') < 0 || compareVersions(target.version, '4') >= 0) {
    throw new UserError('bad-version', `predict supports CouchDB 3.0 to 3.5, not ${describeTarget(target)}`, {
      hint: 'older files have no sizes in their B-trees and other headers; --target 3.5 predicts for that version',
    });
  }
  if (options.shards !== undefined) return { target, shards: readShards(options.shards) };
  const found = await findShards({ cwd, folder: config.source === undefined ? cwd : config.folder });
  if (!found || found.shards > MAX_SHARDS) return { target, shards: DEFAULT_SHARDS };
  return { target, shards: found.shards, shardsFile: found.file };
}

/** @param {LoadCollector} collector @returns {UserError} */
function nothingToPredict({ counts }) {
  if (counts.withoutDocument > 0) {
    return new UserError(
      'no-documents',
      `the ${counts.withoutDocument} rows have ids but no documents, so the sizes are unknown`,
      {
        hint: 'dump them with include_docs=true',
      },
    );
  }
  return new UserError('no-documents', 'no documents in the input', {
    hint: 'use JSON lines, _bulk_docs bodies or a dump',
  });
}
