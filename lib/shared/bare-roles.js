// What a function of a design document can be for that stands alone in a file (CouchDB 3.5 documentation, ddocs/ddocs).

export const BARE_ROLES = /** @type {const} */ (['map', 'reduce', 'filter', 'validate', 'update', 'show', 'list']);

/** @typedef {(typeof BARE_ROLES)[number]} BareRole */
