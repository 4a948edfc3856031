// Determines whether CouchDB compacts a database by itself, so that its files are smaller than a load left them: the
// defaults of smoosh, which CouchDB 3.0 and later run (smoosh_server.erl, get_priority, 3.4.3 and 3.5.0).

/** Smaller files of a shard are left as they are: `min_size`. */
const MIN_SIZE = 1_048_576;
/** `[smoosh.ratio_dbs] min_priority`: the file has more than so many times what is in use. */
const MIN_RATIO = 2;
/** `[smoosh.slack_dbs] min_priority`: so many bytes are not in use. */
const MIN_SLACK = 536_870_912;

/**
 * @param {{file: number, active: number}} figures of all shards together
 * @param {number} shards
 * @returns {boolean} whether a shard of the mean size is compacted, unless the server's configuration says otherwise
 */
export function compactsItself({ file, active }, shards) {
  const [size, used] = [file / shards, active / shards];
  return size > MIN_SIZE && (size / used > MIN_RATIO || size - used > MIN_SLACK);
}
