// Names a shape of query for people.

/**
 * @typedef {object} NamedQuery
 * @property {string} method
 * @property {string | null} database
 * @property {string} endpoint
 * @property {string} [designDoc]
 * @property {string} [view]
 * @property {string} [function]
 * @property {string[]} parameters
 * @property {boolean} [replication]
 */

/**
 * @param {NamedQuery} shape
 * @returns {string} `GET shop/_design/orders/_view/by_status?include_docs=true&key`; raw, to be escaped by the caller that shows it
 */
export function nameOf({ method, database, endpoint, designDoc, view, function: name, parameters, replication }) {
  const places = [database ?? '', designDoc ?? ''].filter((part) => part !== '');
  if (!(endpoint === 'database' || endpoint === '_design'))
    places.push(endpoint === 'document' ? '{document}' : endpoint === 'attachment' ? '{attachment}' : endpoint);
  places.push(...[name ?? '', view ?? ''].filter((part) => part !== ''));
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `${method} ${places.join('/')}${query}${replication ? ' (replication)' : ''}`;
}
