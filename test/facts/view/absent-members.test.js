import { describe, expect, test } from 'vitest';
import { factsOf } from '../../helpers/facts-of.js';

/**
 * @param {string} body
 * @param {object} [options]
 */
const readsIn = (body, options) =>
  factsOf({ views: { orders: { map: `function (doc) { ${body} }` } }, options }, 'view', [
    'absentMembers',
    'localSeqReads',
    'hasLocalSeq',
    'emitsOfDeletions',
  ]);

const NONE = { absentMembers: [], localSeqReads: [], hasLocalSeq: false, emitsOfDeletions: [] };

describe('members that documents do not have in a map', () => {
  test.each([
    ['the revisions', 'if (doc._revisions) emit(doc._revisions.start, null);', ['doc._revisions']],
    ['the state of revisions', 'emit(doc["_revs_info"].length, null);', ['doc["_revs_info"]']],
    ['a member that no document can have', 'if (doc._type === "order") emit(doc._id, null);', ['doc._type']],
    ['a member of an alias', 'var order = doc; emit(order._revisions, null);', ['order._revisions']],
    ['in a callback', 'doc.lines.forEach(function (line) { emit(doc._revisions, line); });', ['doc._revisions']],
    ['two of them', 'emit([doc._revisions, doc._seq], null);', ['doc._revisions', 'doc._seq']],
  ])('are found: %s', (_, body, absentMembers) => {
    expect(readsIn(body)).toEqual({ ...NONE, absentMembers });
  });

  test.each([
    ['what CouchDB adds', 'emit([doc._id, doc._rev, doc._conflicts, doc._deleted_conflicts], doc._attachments);'],
    ['what the replicator writes', 'emit([doc._replication_state, doc._replication_stats], doc._replication_id);'],
    ['a test that excludes deletions', 'if (!doc._deleted) emit(doc._id, null);'],
    ['a test that ends the map for deletions', 'if (doc._deleted) return; emit(doc._id, null);'],
    ['a deletion as a value', 'emit(doc._id, doc._deleted);'],
    ['a member of a member', 'if (doc.order) emit(doc.order._revisions, null);'],
    ['a member of another object', 'var row = { _seq: 1 }; emit(row._seq, null);'],
    ['the document under a name of its own', '(function (doc) { emit(doc._seq, null); })({ _seq: 1 });'],
    ['a member of every object', 'emit(doc.__proto__ === Object.prototype, null);'],
    ['a computed name', 'for (var name in doc) if (name.charAt(0) !== "_") emit(name, doc[name]);'],
    ['an assignment', 'doc._seq = 1; emit(doc._id, null);'],
    ['a deleted member', 'delete doc._revisions; emit(doc._id, null);'],
  ])('are none of: %s', (_, body) => {
    expect(readsIn(body)).toEqual(NONE);
  });

  test('are read of `_local_seq` with the option that adds it, and without', () => {
    const body = 'emit(doc._local_seq, null);';
    const localSeqReads = ['doc._local_seq'];
    expect(readsIn(body)).toEqual({ ...NONE, localSeqReads });
    expect(readsIn(body, { local_seq: false })).toEqual({ ...NONE, localSeqReads });
    expect(readsIn(body, { local_seq: true })).toEqual({ ...NONE, localSeqReads, hasLocalSeq: true });
  });
});

describe('emits that only deletions would reach', () => {
  test.each([
    ['behind the flag', 'if (doc._deleted) emit(doc._id, null);', ['emit(doc._id, null)']],
    ['behind the flag and true', 'if (doc._deleted === true) emit(doc._id, null);', ['emit(doc._id, null)']],
    ['behind the other answer', 'if (!doc._deleted) return; emit(doc._id, null);', ['emit(doc._id, null)']],
    ['with another test', 'doc.type === "order" && doc._deleted && emit(doc._id, 1);', ['emit(doc._id, 1)']],
    ['one of two', 'if (doc._deleted) emit("gone", 1); else emit("here", 1);', ['emit("gone", 1)']],
    ['of neither', 'if (doc._deleted || doc.cancelled) emit(doc._id, null);', []],
    ['behind the flag with another', 'if (doc.deleted) emit(doc._id, null);', []],
  ])('are found: %s', (_, body, emitsOfDeletions) => {
    expect(readsIn(body)).toEqual({ ...NONE, emitsOfDeletions });
  });
});
