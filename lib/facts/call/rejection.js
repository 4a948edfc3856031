// Facts about calls whose failure nothing handles, and about the versions of packages that decide what becomes of it.

import { clientNamed } from '../../clients/index.js';
import { COMMON_JS, callFact, RUNS_AT_USER, SERVER } from './call.js';

/** @import { CallSubject, FactDeclaration } from '../fact.js' */

const NO_VERSION = 'no package.json shows the version';

/** Packages that pages and apps are made with. */
const APP_PACKAGES = ['react', 'vue', 'svelte', '@angular/core', 'electron', 'ember-source'];

/** @type {FactDeclaration<CallSubject>[]} */
export const callRejectionFacts = [
  callFact('call.isUnhandled', 'boolean', {
    meaning:
      'Whether nothing handles a failure of it: its promise is dropped, or that of the function that awaits it, as far as these were followed.',
    phrases: ['this promise is dropped', 'its promise goes on, or a failure is handled'],
    extract: ({ unhandled, client, majors }) => {
      if (!unhandled) return { value: false };
      const { place, isPromise } = unhandled;
      const since = clientNamed(client)?.promisesSince ?? Number.POSITIVE_INFINITY;
      if (isPromise || (clientMajor(client, majors) ?? 0) >= since) return { value: true, place };
      return { unknown: 'the code does not show that it returns a promise', place };
    },
  }),
  callFact('call.isInExpressRoute', 'boolean', {
    meaning: 'Whether what drops its promise is Express, which has an async handler.',
    phrases: ['Express calls this handler', 'no handler of Express is around it'],
    extract: ({ unhandled }) => ({ value: unhandled?.in === 'route' }),
  }),
  callFact('call.expressMajor', 'count', {
    meaning: 'The lowest major version of Express that the nearest package.json needs.',
    phrases: 'package.json needs Express {value}',
    extract: ({ majors: { express } }) => (express === undefined ? { unknown: NO_VERSION } : { value: express }),
  }),
  callFact('call.hasCallback', 'boolean', {
    meaning: 'Whether it gives a function that is to get the answer.',
    phrases: ['a callback is to get the answer', 'no callback is given'],
    extract: ({ written }) => ({ value: written.answer === 'callback' }),
  }),
  callFact('call.callbackIsCalled', 'boolean', {
    meaning:
      'Whether the version of its client that the nearest package.json needs calls callbacks, by the lowest major version.',
    phrases: ['the client calls callbacks', 'package.json needs a version that calls no callbacks'],
    extract: ({ client, majors }) => {
      const last = clientNamed(client)?.callbacksUntil;
      if (last === undefined) return { value: true };
      const major = clientMajor(client, majors);
      return major === undefined ? { unknown: NO_VERSION } : { value: major <= last };
    },
  }),
  callFact('call.runsAtUser', 'boolean', {
    meaning:
      'Whether its file is a part of a page, an app or a desktop program, or may be: PouchDB in a module that nothing shows to be of Node.js.',
    phrases: ['this may run in a page or an app', 'this runs in Node.js'],
    extract: ({ file: { text, path }, majors, client }) => {
      const isOfPage = /\.(?:vue|svelte|html?|[jt]sx)$/.test(path) || RUNS_AT_USER.test(text);
      const isOfServer = SERVER.test(text) || COMMON_JS.test(text);
      const isOfApp =
        APP_PACKAGES.some((name) => majors[name] !== undefined) || clientNamed(client)?.local !== undefined;
      return { value: isOfPage || (isOfApp && !isOfServer) };
    },
  }),
];

/**
 * @param {string | null} client
 * @param {Record<string, number>} majors
 * @returns {number | undefined} the version of its package
 */
function clientMajor(client, majors) {
  const packages = Object.keys(clientNamed(client)?.packages ?? {});
  return packages.map((name) => majors[name]).find((major) => major !== undefined);
}
