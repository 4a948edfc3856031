// Describes the machine and the programs beside every result, so that figures can be interpreted later. Pure: the
// values are passed in.

/**
 * @typedef {object} Environment
 * @property {string} tool version of couch-advisor
 * @property {string} node
 * @property {string} system `linux x64 6.1`
 * @property {string} processor
 * @property {number} processors
 * @property {number} memoryBytes
 * @property {number} loadAverage of the last minute, at the start; 0 where the system reports none
 * @property {ServerAbout} server
 */

/**
 * @typedef {object} ServerAbout
 * @property {string} name `CouchDB 3.5.0`
 * @property {'couchdb' | 'embedded'} kind
 * @property {string} version
 * @property {string} [engine] for JavaScript: `spidermonkey 78`
 * @property {number} [nodes]
 * @property {Record<string, string>} settings those that matter here
 */

/**
 * @param {Environment} environment
 * @returns {{name: string, value: string}[]} for people
 */
export function describeEnvironment({ server, processor, processors, system, node, loadAverage }) {
  const settings = Object.entries(server.settings).map(([name, value]) => `${name}=${value}`);
  const parts = [
    server.name,
    ...(server.engine ? [server.engine] : []),
    ...(server.nodes ? [`${server.nodes} ${server.nodes === 1 ? 'node' : 'nodes'}`] : []),
    ...settings,
  ];
  const machine = `${processors} × ${processor}, ${system}, Node ${node}, load ${loadAverage.toFixed(1)} at the start`;
  return [
    { name: 'server', value: parts.join(', ') },
    { name: 'machine', value: machine },
  ];
}
