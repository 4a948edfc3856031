// What is known of Cloudant's older client, which is made of nano (README of @cloudant/cloudant 4.3).

import { nano } from './nano.js';

/** @import { Client } from './client.js' */

const { changesBySelector: _, ...advice } = nano.advice;
const { promisesSince: __, callbacksUntil: ___, ...rest } = nano;

/** @type {Client} */
export const cloudant = {
  ...rest,
  name: 'cloudant',
  ownMethods: [],
  packages: { '@cloudant/cloudant': 'server', cloudant: 'server' },
  packageWords: /cloudant|@cloudant\/cloudant/,
  makerWords: /cloudant/,
  urlMayNameDatabase: false,
  accountHost: 'cloudant.com',
  advice,
};
