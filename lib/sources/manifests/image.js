// Recognizes images of CouchDB, and the version that their tags name.

import { isVersion } from '../../shared/version.js';

/** Images of CouchDB, by the last part of their names; Fabric and IBM ship it under names of their own. */
const IMAGES = new Set(['couchdb', 'couchdb3', 'fabric-couchdb']);
/** Whose tags are versions of CouchDB. */
const OWN_IMAGE = /^(?:(?:docker\.io\/)?(?:library|apache|bitnami)\/)?couchdb$/;

/** @param {string} image @returns {boolean} */
export function isCouchdb(image) {
  return IMAGES.has(nameOf(image).split('/').at(-1) ?? '');
}

/** @param {string} image @returns {string} without tag and digest */
function nameOf(image) {
  return image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
}

/** @param {string} image @returns {string | undefined} of CouchDB, with two parts at least: `3` is whatever is newest then */
export function versionOf(image) {
  const [tag = ''] = /(?<=:)\d+\.\d+(?:\.\d+)?/.exec(image.replace(/@.*$/, '')) ?? [];
  return OWN_IMAGE.test(nameOf(image)) && isVersion(tag) ? tag : undefined;
}
