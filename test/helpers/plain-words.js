// Checks the wording of findings and pages, as far as it can be checked by rule: words that have a plainer or more
// exact one, and the form of messages.

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
];

const MAX_MESSAGE = 100;

/**
 * @param {string} text Markdown or plain text; code in backquotes is left out
 * @returns {string[]} each word with the one to use
 */
export function wordFaults(text) {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1[ \t]*$/gm, '').replaceAll(/(`+)[^`]*\1/g, '``');
  return WORDS.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(prose) ?? [];
    return found === undefined ? [] : [`"${found}": ${instead}`];
  });
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
