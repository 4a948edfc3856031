// Finds feeds that are opened again and again and never closed: in a handler of requests, or in a component of a page.

import { functionAround } from './enclosing.js';

/** @import { CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { CallRecord } from './record.js' */

/** Code that closes a feed, whatever it is called: `feed.cancel()`, `reader.stop()`. */
const CLOSES = /\.\s*(?:cancel|stop|abort|close|destroy|removeAllListeners)\b/;
const EFFECTS = /(?:^|\.)use(?:Layout)?Effect$/;
/** Methods that run each time a component is shown: of React, Vue, Angular and Ionic. */
const LIFECYCLE =
  /^(?:componentDidMount|componentWillMount|mounted|created|ngOnInit|ionViewDidEnter|ionViewWillEnter|ionViewDidLoad)$/;
/** Components that a page has once. */
const ONCE =
  /(?:^|\/)(?:_?app|main|index|root|layout)(?:\.component)?\.\w+$|(?:context|provider|store|service|root)s?\b[^/]*$/i;

/**
 * @param {CallExpression} call that opens a feed
 * @param {Code} code
 * @returns {CallRecord['reopenedIn']}
 */
export function reopenedIn(call, code) {
  const { text, path } = code.file;
  if (CLOSES.test(text)) return 'closed';
  if (ONCE.test(path)) return null;
  for (let fn = functionAround(call, code); fn; fn = functionAround(fn, code)) {
    const place = componentOf(fn, code);
    if (place) return { for: 'component', place: code.file.place(place.start, place.end) };
  }
  return null;
}

/** @param {FunctionNode} fn @param {Code} code @returns {{start: number, end: number} | undefined} what runs it for each component */
function componentOf(fn, code) {
  const parent = code.parentOf(fn);
  if (parent?.type === 'CallExpression' && parent.arguments[0] === fn && EFFECTS.test(code.source(parent.callee)))
    return parent.callee;
  const key = parent?.type === 'MethodDefinition' || parent?.type === 'Property' ? parent.key : undefined;
  return key?.type === 'Identifier' && LIFECYCLE.test(key.name) ? key : undefined;
}
