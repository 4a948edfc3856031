// Finds the web address of a page of this package in its repository.

/** @typedef {{version: string, repository?: string | {url?: string, directory?: string}}} Manifest of `package.json` */

/** Short forms that npm takes (docs.npmjs.com, package.json, repository). @type {Record<string, string>} */
const HOSTS = { github: 'https://github.com', gitlab: 'https://gitlab.com' };

/**
 * @param {Manifest} manifest
 * @param {string} file in the package
 * @returns {string} its address at the tag of the version; the path as given where the manifest names no repository on the web
 */
export function pageAddress({ version, repository = '' }, file) {
  const { url = '', directory } = typeof repository === 'string' ? { url: repository } : repository;
  const [, host = 'github', project] = /^(?:(github|gitlab):)?([\w.-]+\/[\w.-]+)$/.exec(url) ?? [];
  const web = project === undefined ? webAddress(url) : `${HOSTS[host]}/${project}`;
  if (web === undefined) return file;
  // GitLab has pages of its own below `-`, so that they cannot be taken for projects.
  const door = /^https?:\/\/[^/]*gitlab/.test(web) ? '-/blob' : 'blob';
  return [web, door, `v${version}`, ...(directory ? [directory] : []), file].join('/');
}

/**
 * @param {string} url as git has it: `git+https://…`, `git://…`, `ssh://git@…`, `git@host:owner/name.git`
 * @returns {string | undefined} of the pages of the same repository, without credentials; undefined where it is only of use on one machine
 */
function webAddress(url) {
  const spelled = url.replace(/^git\+/, '').replace(/^[\w.-]+@([\w.-]+):(?!\/\/)/, 'https://$1/');
  if (!URL.canParse(spelled)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(spelled);
  if (!/^(?:https?|ssh|git):$/.test(protocol)) return undefined;
  return `https://${protocol.startsWith('http') ? host : hostname}${pathname.replace(/(?:\.git)?\/?$/, '')}`;
}

/**
 * @param {readonly (string | undefined)[]} sources
 * @returns {string | undefined} the first that is an address
 */
export function firstAddress(sources) {
  return sources.find((source) => source !== undefined && /^https?:\/\/\S+$/.test(source));
}
