// Checks the wording of what people read, as far as it can be checked by rule: words that have a plainer or more exact one, sentences that are too
// long, and the form of messages.

/** Words that users should not meet, each with what is written instead. @type {[RegExp, string][]} */
const WORDS = [
  [/\bask(?:s|ed|ing)?\b/i, 'query, request, ask for → need'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, correct'],
  [/\banew\b/i, 'again; is built anew → is rebuilt'],
  [/\b(?:tell|tells|told|telling)\b/i, 'report, show, say, know'],
  [/\bwhoever\b/i, 'clients, users'],
  [/\bin place of\b/i, 'instead of'],
  [/\btak(?:e|es|en|ing) (?:\S+ ){0,4}out\b/i, 'remove'],
  [/\bgo(?:es)? by\b/i, 'use'],
  [/\bin the mean\b/i, 'on average'],
  [/\bin operation\b/i, 'in production'],
  [/\bone in (?:ten|twenty|a hundred)\b/i, 'p90, p95, p99'],
  [/\bof (?:no|any|some|great) use\b/i, 'unused, useless, useful'],
  [/\bfinds? out\b/i, 'detect'],
  [/\bnobody\b/i, 'unused; no client'],
  [/\bof its own choice\b/i, 'decides how'],
  [/\bin one pass:/i, 'all rows at once'],
  [/\bIt does no harm\b/i, 'harmless, but misleading'],
  [/\btakes? it for a setting\b/i, 'harmless, but misleading'],
  [/\bthat it was switched off for\b/i, 'that exceeds the limit'],
  [/\bfixed or gone\b/i, 'fixed'],
  [/\bexisting elsewhere\b/i, 'old findings unchanged'],
  [/\bNo change is worth making\b/i, 'no index or view change helps'],
  [/\bquestions? could not be answered\b/i, 'checks lacked input'],
  [/\bseveral findings share\b/i, 'explanation: see the first finding of this rule'],
  [/\bmatch(?:es)? no format\b/i, 'not understood'],
  [/\bno Mango index of the project (?:serves|fits)\b/i, 'no Mango index fits this selector'],
  [/\bgeneric patterns?\b/i, 'the pattern, measured elsewhere; not measured: needs a real CouchDB'],
  [/\bvary too much\b/i, 'too noisy to tell'],
  [/\bidentical arms\b/i, 'noise 20 %'],
  [/\breturns the number of shards\b/i, 'the average of averages is not the average'],
  [/\bProof: equals\b/, 'meant as `_sum`, but wrong when rereduced'],
  [/\brebuilt, for\b/i, 'rebuilt because x changed'],
  [/\bpossibly by less than [2-9]\d\d %/i, 'possibly less than 3 times'],
  [/\bno findings in 0\b/i, 'the text could not be read'],
  [/\bpaths made from generated\b/i, 'the path as the code writes it'],
  [/\bindependent of time\b/i, 'server counters'],
  [/\bif indexed \d+ at once|\bindexed \S+ at once\b/i, 'if the view is queried every 100'],
  [/\bWithout any they assume\b/i, 'without these, the plan assumes'],
  [/\bnothing in the configuration above\b/i, 'parent configurations do not apply'],
  [/\bquery shapes?\b|\bshapes? of (?:a )?quer(?:y|ies)\b/i, 'query, query pattern'],
];

const MAX_MESSAGE = 100;
/** Words of a sentence. */
export const MAX_WORDS = 30;

/** What begins a part of a page: an empty line, a cell, or a line with the mark of a list, a heading, a quotation, a row or a column. */
const PART = /\n\s*\n|\n(?=\s*(?:[-*>#|]|\d+\.|\S+ {2,})\s?)|\|(?=\s|$)|\n(?=\|)/;
/** Where a sentence ends: what follows begins with a capital, code, a number, or the name of this program. */
const END = /(?<=[.?!:][)"'”*_]*)\s+(?=[\p{Lu}`"'(“*_{[\d]|couch-advisor\b)/u;

/**
 * @param {string} text Markdown or plain text; code in backquotes is left out
 * @returns {string[]} each word with the one to use
 */
export function wordFaults(text) {
  const prose = proseOf(text).replaceAll(/(`+)[^`]*\1/g, '``');
  return WORDS.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(prose) ?? [];
    return found === undefined ? [] : [`"${found}": ${instead}`];
  });
}

/**
 * @param {string} text Markdown or plain text; a list of code in backquotes counts as one word, and how a measurement was made not at all
 * @returns {string[]} sentences of more than `MAX_WORDS` words
 */
export function longSentences(text) {
  const prose = proseOf(text)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(`+)[^`]*\1/g, '`x`')
    .replaceAll(/\s*\(by hand: [^()]*\)/g, '')
    .replaceAll(/`x`(?:(?:,| and| or|, and|, or)\s+`x`)+/g, '`x`');
  return prose
    .split(PART)
    .flatMap((part) => part.trim().split(END))
    .filter((sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}`]/u.test(word)).length > MAX_WORDS);
}

/** @param {string} text @returns {string} without blocks of code, comments, and what is generated between two comments */
function proseOf(text) {
  return text
    .replaceAll(/^(`{3,})[\s\S]*?^\1[ \t]*$/gm, '\n\n')
    .replaceAll(/<!-- (?:measured: )?([\w-]+) -->[\s\S]*?<!-- (?:\/|end: )\1 -->/g, '\n\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '\n\n');
}

/**
 * @param {string} message of an outcome, with its places for values
 * @returns {string[]}
 */
export function messageFaults(message) {
  return [
    ...(message.length > MAX_MESSAGE ? [`${message.length} characters, ${MAX_MESSAGE} are allowed`] : []),
    ...(/^(?:`|\{|[a-z_"<(])/.test(message) ? [] : ['it begins with neither code nor a small letter']),
    ...(/[.;?!](?:\s|$)/.test(message.replaceAll(/`[^`]*`/g, '``')) ? ['more than one sentence, or a full stop'] : []),
  ];
}
