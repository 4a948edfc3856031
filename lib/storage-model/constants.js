// Table of the numbers that CouchDB's files are made of, each with its place in the source. Unless another file or
// version is named they were read in 3.4.3 and are the same in 3.0.0, 3.5.0 and 3.5.2.

/** Bytes of a block of a file; its first byte shows whether a header begins there. couch_file.erl, `SIZE_BLOCK`. */
export const BLOCK_BYTES = 4096;

/** Length of what is appended, in front of it. couch_file.erl, `assemble_file_chunk`. */
export const CHUNK_PREFIX_BYTES = 4;

/** MD5 (to 3.4) or xxHash128 (from 3.5) in front of documents and headers. couch_file.erl, `assemble_file_chunk_and_checksum`. */
export const CHECKSUM_BYTES = 16;

/** Mark and length in front of a header. couch_file.erl, `PREFIX_SIZE`. */
export const HEADER_PREFIX_BYTES = 5;

/** From here on a list of a node is cut in parts. couch_btree.erl, `get_chunk_size`: `[couchdb] btree_chunk_size`. */
export const CHUNK_SIZE = 1279;

/** An old node stays as it is when only followed by new entries and filled to this share of the chunk size. couch_btree.erl, `FILL_RATIO`. */
export const FILL_RATIO = 0.5;

/** The byte in front of what snappy packed. couch_compress.erl, `SNAPPY_PREFIX`. */
export const SNAPPY_PREFIX_BYTES = 1;

/** Bytes of a revision's hash: MD5. couch_db.erl, `new_revid`. */
export const REVISION_BYTES = 16;

/** Ids of shards are positions on a ring of this size. mem3.hrl, `RINGTOP`. */
export const RING_TOP = 2 ** 32;

/** `[cluster] q`, shards of a new database: 2 from 3.0, 8 before. rel/overlay/etc/default.ini. */
export const DEFAULT_SHARDS = 2;

/** Bytes of document infos that compaction copies at once. default.ini, `[database_compaction] doc_buffer_size`. */
export const COMPACTION_BUFFER_BYTES = 524_288;

/** After so many bytes of infos compaction writes a header. couch_bt_engine_compactor.erl: ten buffers. */
export const COMPACTION_CHECKPOINT_BYTES = 10 * COMPACTION_BUFFER_BYTES;

/** Ids that compaction adds to the B-tree by id at once. couch_bt_engine_compactor.erl, `merge_docids`: more than 1,000. */
export const COMPACTION_IDS_AT_ONCE = 1001;

/** Revisions of a document that are kept in its tree. couch_bt_engine_header.erl, `revs_limit`. */
export const REVISIONS_LIMIT = 1000;

/** Documents that the reader of an index puts into one item of the queue. couch_mrview_updater.erl, `process_doc`: more than 100. */
export const INDEX_ITEM_DOCUMENTS = 101;

/**
 * Bytes that wait in each queue of an index build, at most. couch_mrview_updater.erl, `[view_updater] queue_memory_cap`: 100,000
 * from 1.2 to 3.5.0, 10,485,760 from 3.5.1.
 */
export const INDEX_QUEUE_BYTES = 100_000;

/** Bytes of rows that the compaction of an index copies at once. couch_mrview_compactor.erl, `keyvalue_buffer_size`. */
export const INDEX_COMPACTION_BUFFER_BYTES = 2_097_152;
