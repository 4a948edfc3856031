// Reads access logs of Traefik in its common format (pkg/middlewares/accesslog/logger_formatters.go, 3.0): a line of `combined`, and behind it the number of
// the request, the router, the server and the milliseconds that it took: `… "-" "curl/8" 17 "couch@docker" "http://10.0.0.2:5984" 12ms`.

import { millisAtEnd, scanCombined } from './combined.js';
import { LINE } from './log-line.js';

/** @import { LogFormat } from './log-line.js' */

/** What is logged for a request that no router wants: it has no status. */
const NOT_ROUTED = /" - - "[^"]*" "[^"]*" \d+ "-" "-" \d+ms$/;
const MAX_END = 1000;

/** @type {LogFormat} */
export const traefik = {
  name: 'traefik',
  scan(bytes, start, end, line) {
    const millis = millisAtEnd(bytes, start, end);
    if (millis < 0) return LINE.MALFORMED;
    const kind = scanCombined(bytes, start, end, line);
    if (kind === LINE.REQUEST) line.micros = millis * 1000;
    if (kind !== LINE.MALFORMED) return kind;
    return NOT_ROUTED.test(bytes.toString('latin1', Math.max(start, end - MAX_END), end)) ? LINE.OTHER : LINE.MALFORMED;
  },
};
