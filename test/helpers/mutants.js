// Makes mutants of a function: its text with one operator or constant changed.

import { parse, tokenizer } from 'acorn';

/** What takes the place of an operator. @type {Map<string, string[]>} */
const OPERATORS = new Map([
  ['+', ['-']],
  ['-', ['+']],
  ['*', ['+']],
  ['/', ['*']],
  ['<', ['<=', '>']],
  ['<=', ['<']],
  ['>', ['>=', '<']],
  ['>=', ['>']],
  ['++', ['--']],
  ['--', ['++']],
  ['+=', ['-=', '=']],
  ['-=', ['+=']],
  ['==', ['!=']],
  ['===', ['!==']],
  ['!=', ['==']],
  ['!==', ['===']],
  ['&&', ['||']],
  ['||', ['&&']],
]);

/** @type {Map<string, string[]>} */
const WORDS = new Map([
  ['true', ['false']],
  ['false', ['true']],
  ['null', ['0']],
  ['Infinity', ['0']],
  ['min', ['max']],
  ['max', ['min']],
]);

/**
 * @param {string} source of a function expression
 * @returns {{text: string, change: string}[]} only those that still can be parsed; `change` names place and change
 */
export function mutantsOf(source) {
  const tokens = [...tokenizer(source, { ecmaVersion: 'latest' })];
  /** @type {{text: string, change: string}[]} */
  const mutants = [];
  const third = thirdParameter(source);
  let opened = false;
  for (const { start, end, type } of tokens) {
    const word = source.slice(start, end);
    // The parameters themselves are no use of them.
    opened ||= word === '{' || word === '=>';
    for (const other of replacements(word, type.label, opened ? third : undefined)) {
      const text = source.slice(0, start) + other + source.slice(end);
      if (canBeParsed(text)) mutants.push({ text, change: `${start}: ${word} → ${other.trim() || 'nothing'}` });
    }
  }
  return mutants;
}

/**
 * @param {string} word
 * @param {string} label of its kind of token
 * @param {string | undefined} third the name that marks the second pass
 * @returns {string[]}
 */
function replacements(word, label, third) {
  if (label === 'num') return word === '0' ? ['1'] : ['0', String(Number(word) + 1)];
  if (label === 'string') return ["'changed'"];
  if (word === '!') return [' '];
  if (third !== undefined && word === third) return [`(!${third})`];
  return OPERATORS.get(word) ?? WORDS.get(word) ?? [];
}

/**
 * @param {string} source
 * @returns {string | undefined}
 */
function thirdParameter(source) {
  return /^\s*(?:function[^(]*)?\(\s*\w+\s*,\s*\w+\s*,\s*(\w+)/.exec(source)?.[1];
}

/**
 * @param {string} text
 * @returns {boolean}
 */
function canBeParsed(text) {
  try {
    parse(`(${text})`, { ecmaVersion: 'latest' });
    return true;
  } catch {
    return false;
  }
}
