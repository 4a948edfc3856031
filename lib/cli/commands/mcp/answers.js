// Makes the answer of each tool: runs the command behind it, and picks from its report what an assistant needs.

import { unknownRule } from '../../../engine/rule-names.js';
import { describeQuestion } from '../../../engine/tree-picture.js';
import { openSandbox } from '../../../sandbox/sandbox.js';
import { nameOf } from '../../../shared/query-name.js';
import { UserError } from '../../../shared/user-error.js';
import { NEWEST_COUCHDB } from '../../../shared/version.js';
import { prepareRules, ruleIds, targetOf } from '../../prepare.js';

/** @import { Finding } from '../../../engine/findings/finding.js' */
/** @import { Means, Ran } from './answer-call.js' */

/** @typedef {(args: any, means: Means) => Promise<{text: string, structured: object}>} Answerer */

/** Findings, queries or steps where the call does not say how many. */
const USUAL_LIMIT = 20;
const USUAL_WIDTH = 100;
/** Nothing is written, not into the cache either. */
const READ_ONLY = { cache: false };

/** By the name of the tool. @type {Record<string, Answerer>} */
export const ANSWERS = {
  lint: answerLint,
  explain_rule: answerRule,
  prove_reduce: answerReduce,
  digest_log: answerDigest,
  advise: answerAdvise,
  upgrade_check: answerUpgrade,
  predict_size: answerPredict,
};

/** @type {Answerer} */
async function answerLint({ text, filename, rules, target, limit = USUAL_LIMIT, ...args }, { locate, run, ...means }) {
  const isText = text !== undefined;
  if (isText && args.paths) throw new UserError('two-inputs', 'give either `paths` or `text`', { hint: 'call twice' });
  // A text or a server alone needs no root.
  const needsRoot = args.paths || args.logs || args.documents || !(isText || args.server);
  const [paths = [], logs = [], docs = []] = needsRoot ? locate(args.paths, args.logs, args.documents) : [];
  const { run: lint } = await import('../lint/run.js');
  const options = {
    ...READ_ONLY,
    ...liveOptions(args, means),
    ...given({ target, rule: rules, log: ifAny(logs), docs: ifAny(docs) }),
    ...(isText ? { stdinFilename: filename ?? 'text.json' } : {}),
    ...(needsRoot ? {} : { config: false }),
  };
  const ran = await run(lint, options, isText ? ['-'] : paths, text);
  const { counts, findings, cannotTell, costliest = [] } = reportOf(ran);
  const shares = new Map(costliest.map((/** @type {{key: string, share: number}} */ { key, share }) => [key, share]));
  return {
    text: ran.text,
    structured: {
      ...ranOf(ran),
      counts,
      findings: findings.slice(0, limit).map((/** @type {Finding} */ finding) => describeFinding(finding, shares)),
      notListed: Math.max(0, findings.length - limit),
      unknown: cannotTell
        .slice(0, limit)
        .map((/** @type {any} */ { rule, subject, reason }) => ({ rule, subject: nameOfSubject(subject), reason })),
    },
  };
}

/** @param {{name?: string, designDoc?: string, view?: string}} subject @returns {string} */
function nameOfSubject({ name, designDoc = '', view }) {
  return name ?? (view === undefined ? designDoc : `${designDoc}/_view/${view}`);
}

/** @param {Finding} finding @param {Map<string, number>} shares @returns {object} */
function describeFinding({ place: { file, line, column }, path, fix, ...finding }, shares) {
  const { rule, outcome, key, severity, certainty, message, why, advice } = finding;
  return {
    ...{ rule, outcome, key, severity, certainty, message, why, advice },
    place: { file, line, column },
    evidence: path.map(({ fact, operator, operand, answer, because }) => {
      const asked = describeQuestion({ fact, operator: /** @type {any} */ (operator), value: operand });
      return `${asked}: ${answer}, because ${because}`;
    }),
    ...(fix ? { fix: { title: fix.title, isSafe: fix.safe } } : {}),
    timeShare: shares.get(key),
  };
}

/** @type {Answerer} */
async function answerRule({ rule: written }, { surroundings }) {
  const { rules } = await prepareRules({ config: false }, surroundings.cwd);
  const [id = ''] = written.split('#');
  const rule = rules.find((one) => one.id === id);
  if (!rule) throw unknownRule(id, ruleIds(rules));
  const { renderRulePage } = await import('../explain/rule-page.js');
  const { title, severity, status, sources } = rule;
  const outcomes = Object.entries(rule.outcomes).map(([name, { verdict, severity: own, message, why, advice }]) => ({
    ...{ id: name, verdict, severity: own, message, why, advice },
  }));
  return {
    text: renderRulePage(rule, USUAL_WIDTH),
    structured: { id, title, severity, status, outcomes, sources, page: `couch-advisor://rules/${id}` },
  };
}

/** @type {Answerer} */
async function answerReduce({ reduce, map, target }, { surroundings }) {
  const { config } = await prepareRules({ config: false }, surroundings.cwd);
  const { version = NEWEST_COUCHDB } = targetOf(given({ target }), config);
  const { proveViews } = await import('../../../proof/prove-views.js');
  /** @type {Parameters<typeof proveViews>[0][number]} */
  const view = {
    reduce: { text: { text: reduce } },
    map: map === undefined ? undefined : { text: { text: map } },
    proof: undefined,
    documentTrial: undefined,
  };
  const sandbox = openSandbox();
  try {
    await proveViews([view], { target: version, sandbox });
  } finally {
    await sandbox.close();
  }
  const proof = /** @type {NonNullable<typeof view.proof>} */ (view.proof);
  const { verdict, basis, builtin, condition, conditionHolds, rewrite, counterexample, reason, trials, steps } = proof;
  const { proofDocument } = await import('../../../reports/proof.js');
  const { renderTextDocument } = await import('../../../reports/document/text.js');
  return {
    text: renderTextDocument(proofDocument(proof), { width: USUAL_WIDTH }),
    structured: {
      verdict,
      basis,
      builtin,
      condition: condition?.text,
      conditionHolds,
      rewrite: rewrite?.text,
      changesResults: rewrite?.changesShape,
      counterexample: counterexample?.text,
      unknown: reason,
      trials,
      steps,
    },
  };
}

/** @type {Answerer} */
async function answerDigest({ logs, begin, end, limit = USUAL_LIMIT }, { locate, run }) {
  const [found = []] = locate(logs);
  const { run: digest } = await import('../digest/run.js');
  const ran = await run(digest, given({ begin, end }), found);
  const { from, to, lines, shapes } = reportOf(ran);
  const queries = shapes
    .slice(0, limit)
    .map((/** @type {any} */ { latencyMs, ratePerMinute, find, examples, ...shape }) => ({
      query: nameOf(shape),
      count: shape.count,
      perMinute: ratePerMinute?.mean,
      timeShare: shape.share,
      p50Ms: latencyMs?.p50,
      p95Ms: latencyMs?.p95,
      docsExamined: find?.docsExamined,
      results: find?.results,
      place: examples?.[0] && `${examples[0].file}:${examples[0].line}`,
    }));
  const notListed = Math.max(0, shapes.length - limit);
  return {
    text: ran.text,
    structured: { ...ranOf(ran), from: from ?? '', to: to ?? '', requests: lines.requests, queries, notListed },
  };
}

/** @type {Answerer} */
async function answerAdvise({ target, maxIndexes, limit = USUAL_LIMIT, ...args }, { locate, run, ...means }) {
  const [log = [], paths = [], docs = []] = locate(args.logs, args.paths, args.documents);
  const { run: advise } = await import('../advise/run.js');
  const options = {
    ...READ_ONLY,
    ...liveOptions(args, means),
    log,
    ...given({ target, maxIndexes, docs: ifAny(docs) }),
  };
  const ran = await run(advise, options, paths);
  const { steps, queries, others, rejected } = reportOf(ran);
  const names = new Map(queries.map((/** @type {{id: string, name: string}} */ { id, name }) => [id, name]));
  return {
    text: ran.text,
    structured: {
      ...ranOf(ran),
      steps: steps
        .slice(0, limit)
        .map((/** @type {any} */ { title, savedShare, savedMsPerDay, cost, because, findings, ...step }) => ({
          title,
          savedShare,
          savedMsPerDay,
          bytes: cost?.bytes,
          buildSeconds: cost?.buildSeconds,
          because,
          findings,
          queries: step.queries.map((/** @type {{query: string}} */ { query }) => names.get(query) ?? query),
          files: step.files,
        })),
      notListed: Math.max(0, steps.length - limit),
      others: others
        .slice(0, limit)
        .map((/** @type {any} */ { code, message, place }) => `${code}: ${message} (${place})`),
      rejected: rejected.slice(0, limit).map((/** @type {any} */ { title, reason }) => `${title}: ${reason}`),
    },
  };
}

/** @type {Answerer} */
async function answerUpgrade({ from, to, limit = USUAL_LIMIT, ...args }, { locate, run, ...means }) {
  const [paths = [], log = []] = locate(args.paths, args.logs);
  const { run: upgrade } = await import('../upgrade/run.js');
  const options = { ...READ_ONLY, ...liveOptions(args, means), ...given({ from, to, log: ifAny(log) }) };
  const ran = await run(upgrade, options, paths);
  const { items, ...versions } = reportOf(ran);
  const textOf = (/** @type {any} */ { text, place }) => (place ? `${text} (${place.file}:${place.line})` : text);
  return {
    text: ran.text,
    structured: {
      ...ranOf(ran),
      from: versions.from.version,
      to: versions.to.version,
      items: items.slice(0, limit).map((/** @type {any} */ item) => {
        const { id, kind, phase, severity, title, advice, state, reason, evidence, commands, source } = item;
        return {
          ...{ id, kind, phase, severity, title, advice, state, reason, commands, source },
          evidence: evidence.map(textOf),
        };
      }),
      notListed: Math.max(0, items.length - limit),
    },
  };
}

/** @type {Answerer} */
async function answerPredict({ documents, views: given_, count, shards, target }, { locate, run }) {
  const [docs = [], views = []] = locate(documents, given_);
  const { run: predict } = await import('../predict/run.js');
  const options = given({ views: ifAny(views), count, shards, target });
  const ran = await run(predict, options, docs);
  const { documents: number, file, compacted, indexes = [] } = reportOf(ran);
  return {
    text: ran.text,
    structured: {
      ...ranOf(ran),
      documents: number,
      fileBytes: file.file,
      compactedBytes: compacted.file,
      indexes: indexes.map(
        (
          /** @type {any} */ { designDoc, views: names, unknown, rows, fileBytes, buildBytes, buildSeconds, notes },
        ) => ({
          designDoc: designDoc ?? '',
          views: names,
          unknown,
          rows,
          fileBytes,
          buildBytes,
          buildSeconds,
          notes: notes ?? [],
        }),
      ),
    },
  };
}

/** @param {Ran} ran @returns {any} its JSON @throws {UserError} where there is none */
function reportOf({ json, text }) {
  if (json === undefined) throw new UserError('no-report', text.trim().replace(/^error: /, ''));
  return json;
}

/** @param {Ran} ran @returns {{isComplete: boolean, notes: string[]}} */
const ranOf = ({ isComplete, notes }) => ({ isComplete, notes });

/** @template {object} T @param {T} options @returns {any} those that have a value */
function given(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** @template T @param {T[]} items @returns {T[] | undefined} */
const ifAny = (items) => (items.length > 0 ? items : undefined);

/**
 * @param {{server?: boolean, databases?: string[]}} args
 * @param {Pick<Means, 'url'>} means
 * @returns {object} of the commands that read a server
 * @throws {UserError} where none may be read
 */
function liveOptions({ server, databases }, { url }) {
  if (!server) return {};
  if (url === undefined) {
    throw new UserError('no-server', 'no connection is opened', {
      hint: 'start `npx --no-install couch-advisor mcp` with --url',
    });
  }
  return { url, onlyGets: true, ...given({ db: databases }) };
}
