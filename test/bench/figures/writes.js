// Defines the figures about requests that write: sizes of requests, ids, validation functions, updates.

import { randomBytes } from 'node:crypto';
import { orderBody, orders } from './figure.js';

/** @import { Figure, Site } from './figure.js' */

const VALIDATE = "function (newDoc, oldDoc) { if (!newDoc._deleted && !newDoc.type) throw({ forbidden: 'no type' }); }";

/** @param {number} count @returns {(site: Site) => Promise<void>} */
const batches = (count) => (site) => site.load(orders(2000), count);

/** @param {number} count @returns {(site: Site) => Promise<void>} */
const guarded = (count) => async (site) => {
  for (let at = 0; at < count; at += 1) {
    await site.send('PUT', `/_design/guard-${at}`, { language: site.language, validate_doc_update: VALIDATE });
  }
  await site.load(orders(5000), 500);
};

/** @type {Figure[]} */
export const WRITES = [
  {
    id: 'batch-size',
    about: '2,000 documents of 330 bytes',
    fresh: true,
    arms: {
      'in 1,000s': batches(1000),
      'in 100s': batches(100),
      'in 10s': batches(10),
      'one by one': async (site) => {
        for (const doc of orders(2000)) await site.send('POST', '', doc);
      },
    },
  },
  {
    id: 'large-batches',
    about: '20,000 documents of 330 bytes',
    fresh: true,
    arms: {
      'in 1,000s': (site) => site.load(orders(20000), 1000),
      'in 500s': (site) => site.load(orders(20000), 500),
      'in 5,000s': (site) => site.load(orders(20000), 5000),
    },
  },
  {
    id: 'random-ids',
    about: '20,000 documents of 330 bytes in requests of 1,000',
    fresh: true,
    arms: {
      ordered: (site) => site.load(orders(20000)),
      random: (site) =>
        site.load(
          Array.from({ length: 20000 }, (_, at) => ({ _id: randomBytes(16).toString('hex'), ...orderBody(at) })),
        ),
    },
  },
  {
    id: 'validation',
    about: '5,000 documents in requests of 500',
    fresh: true,
    arms: { none: guarded(0), one: guarded(1), two: guarded(2) },
  },
  {
    id: 'update',
    about: '50 documents written one by one',
    prepare: async (site) => {
      const updates = {
        add: 'function (doc, req) { var one = JSON.parse(req.body); one._id = req.uuid; return [one, "ok"]; }',
      };
      await site.send('PUT', '/_design/shop', { language: site.language, updates });
    },
    runs: 4,
    arms: {
      post: async (site) => {
        for (let at = 0; at < 50; at += 1) await site.send('POST', '', orderBody(at));
      },
      update: async (site) => {
        for (let at = 0; at < 50; at += 1) await site.send('POST', '/_design/shop/_update/add', orderBody(at));
      },
    },
  },
];
