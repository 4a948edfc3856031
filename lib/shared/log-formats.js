// Lists the names of log formats, separately from their readers, which the command line does not load for its help.

/** What `--log-format` takes. */
export const LOG_FORMATS = /** @type {const} */ ([
  'couchdb',
  'couchdb-syslog',
  'couchdb-journal',
  'couchdb-1x',
  'combined',
  'combined-seconds',
  'combined-micros',
  'haproxy',
  'traefik',
  'har',
]);

/** @typedef {typeof LOG_FORMATS[number]} LogFormatName */
