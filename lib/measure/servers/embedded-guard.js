// Lets only the program that started the embedded server send requests to it, and nobody else on this machine. A page
// in a browser is refused even if it knows the secret, under whatever name it reached this port.

import { createHash, timingSafeEqual } from 'node:crypto';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Reply } from './embedded-front.js' */

/** @typedef {(request: IncomingMessage) => Reply | undefined} Guard the refusal; undefined where the request may be answered */

const METHODS = new Set(['GET', 'HEAD', 'PUT', 'POST', 'DELETE']);

/**
 * @param {{host: string, authorization: string}} expected `host`: address and port, as a request names them; `authorization`: the whole header
 * @returns {Guard}
 */
export function createGuard({ host, authorization }) {
  return ({ headers, method = '' }) => {
    // Another name for this address is that of a page: DNS rebinding.
    if (headers.host !== host) return refuse(403, `requests must be sent to ${host}`);
    // Browsers add these, and nothing else does. There is no CORS: nothing allows another origin.
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
      return refuse(403, 'requests of web pages are refused');
    }
    if (!isEqual(headers.authorization ?? '', authorization))
      return refuse(401, 'the secret of this run is missing or wrong');
    if (!METHODS.has(method)) return refuse(405, `${method} is not supported`);
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const isJson = /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
    if (hasBody && !isJson) return refuse(415, 'the body must have the type application/json');
    return undefined;
  };
}

/** @param {string} given @param {string} expected @returns {boolean} in a time that does not depend on where they differ */
function isEqual(given, expected) {
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** @param {number} status @param {string} reason @returns {Reply} */
function refuse(status, reason) {
  return { status, body: { error: status === 401 ? 'unauthorized' : 'forbidden', reason }, closes: true };
}
