// Table of which options of CouchDB's configuration which versions read. Data only; each row was looked up in the source by tag: what calls
// `config:get` or `config:section` with the name (1.6.1 to 3.5.2), and `default.ini` beside it. `test/tools/check-config-options.js` compares
// them with a checkout of CouchDB.

/**
 * @typedef {object} OptionSpan
 * @property {string} section
 * @property {string} [key] every key of the section where absent
 * @property {string} [from] the first version that reads it
 * @property {string} [before] the first version that no longer reads it
 * @property {string} [instead] what that version uses instead, as it continues "`[section] key`, "
 */

/** Options that only later versions, or only earlier ones, read, and something else is read instead. @type {OptionSpan[]} */
export const MOVED_OPTIONS = [
  { section: 'compactions', before: '3.0', instead: '`[smoosh.ratio_dbs] min_priority`' },
  { section: 'compaction_daemon', before: '3.0', instead: '`[smoosh]`' },
  { section: 'external', before: '2.3', instead: 'a proxy before the server' },
  { section: 'os_daemons', before: '2.3', instead: 'services of the system' },
  { section: 'update_notification', before: '2.2', instead: '`_db_updates`' },
  // 3.2 was the last to read it from the sections of authentication; the port of the cluster went by `[chttpd]` even before.
  ...['couch_httpd_auth', 'chttpd_auth'].map((section) => ({
    section,
    key: 'require_valid_user',
    before: '3.3',
    instead: '`[chttpd] require_valid_user`',
  })),
  { section: 'chttpd', key: 'docroot', before: '3.0', instead: '`COUCHDB_FAUXTON_DOCROOT`' },
];

/** Options that went, and nothing came for them. @type {OptionSpan[]} */
export const REMOVED_OPTIONS = [
  { section: 'chttpd', key: 'backlog', before: '3.5' },
  // Nothing reads it since 3.0, but `default.ini` sets it up to 3.1.
  { section: 'couch_httpd_auth', key: 'auth_cache_size', before: '3.2' },
  { section: 'couch_httpd_oauth', before: '2.1' },
  { section: 'couchdb', key: 'delayed_commits', before: '3.0' },
  { section: 'couchdb', key: 'fsync_options', before: '3.0' },
  { section: 'couchdb', key: 'idle_check_timeout', before: '3.5' },
  { section: 'couchdb', key: 'max_pread_size', before: '3.5' },
  // Since 2.3 only `httpsd` is read of the section (couch_secondary_sup.erl).
  { section: 'daemons', before: '2.3' },
  { section: 'httpd', key: 'log_max_chunk_size', before: '2.1' },
  { section: 'httpd', key: 'vhost_global_handlers', before: '2.3' },
  { section: 'httpd_db_handlers', before: '2.3' },
  { section: 'httpd_design_handlers', before: '2.3' },
  { section: 'httpd_global_handlers', before: '2.3' },
  { section: 'log_level_by_module', before: '2.1' },
  { section: 'os_daemon_settings', before: '2.3' },
  { section: 'purge', key: 'max_document_id_number', before: '3.5.1' },
  { section: 'replicator', key: 'max_replication_retry_count', before: '2.1' },
  { section: 'rexi', key: 'server_per_node', before: '3.4' },
  { section: 'rexi', key: 'use_kill_all', before: '3.4' },
  { section: 'stats', key: 'rate', before: '2.1' },
  { section: 'stats', key: 'samples', before: '2.1' },
];

/** Options that came late. @type {OptionSpan[]} */
export const LATER_OPTIONS = [
  { section: 'chttpd_auth_lockout', from: '3.4' },
  { section: 'chttpd_auth', key: 'hash_algorithms', from: '3.3' },
  { section: 'chttpd_auth', key: 'pbkdf2_prf', from: '3.4' },
  { section: 'chttpd_auth', key: 'upgrade_hash_on_auth', from: '3.4' },
  { section: 'couch_passwords_cache', from: '3.4' },
  { section: 'couch_scanner', from: '3.4' },
  { section: 'couch_scanner_plugins', from: '3.4' },
  { section: 'couchdb', key: 'js_engine', from: '3.4' },
  { section: 'couchdb', key: 'max_partition_size', from: '3.0' },
  { section: 'couchdb', key: 'single_node', from: '3.0' },
  { section: 'couchdb', key: 'use_cfile', from: '3.5' },
  { section: 'couchdb', key: 'users_db_security_editable', from: '3.0' },
  { section: 'couchdb', key: 'write_xxhash_checksums', from: '3.4' },
  { section: 'jwt_auth', from: '3.1' },
  { section: 'jwt_keys', from: '3.1' },
  { section: 'ken', from: '3.0' },
  { section: 'ken.ignore', from: '3.0' },
  { section: 'native_query_servers', key: 'enable_erlang_query_server', from: '2.3' },
  { section: 'nouveau', from: '3.4' },
  { section: 'prometheus', from: '3.2' },
  { section: 'purge', from: '2.3' },
  { section: 'query_server_config', key: 'partition_query_limit', from: '3.0' },
  { section: 'query_server_config', key: 'query_limit', from: '3.0' },
  { section: 'query_server_config', key: 'reduce_limit_ratio', from: '3.5.1' },
  { section: 'query_server_config', key: 'reduce_limit_threshold', from: '3.5.1' },
  { section: 'quickjs', from: '3.4' },
  { section: 'reshard', from: '3.0' },
  { section: 'smoosh', from: '3.0' },
  { section: 'smoosh.ignore', from: '3.0' },
];

/** The first version that reads the names below under their new section too (chttpd_util.erl, 3.2.0). */
export const RENAMED_IN = '3.2';

/**
 * Options with an old section, which is read where the new one does not set them (`get_chttpd_config`, `get_chttpd_auth_config` in
 * chttpd_util.erl and their callers, 3.2.0 and 3.5.2). `[chttpd]` had others of its own before.
 * @type {{section: string, old: string, keys: Set<string>}[]}
 */
export const RENAMED_OPTIONS = [
  {
    section: 'chttpd',
    old: 'httpd',
    keys: words(`allow_jsonp changes_timeout chunked_response_buffer config_whitelist enable_cors enable_xframe_options
      max_http_request_size max_uri_length rewrite_limit secure_rewrites valid_hosts validate_host x_forwarded_host
      x_forwarded_proto x_forwarded_ssl WWW-Authenticate`),
  },
  {
    section: 'chttpd_auth',
    old: 'couch_httpd_auth',
    keys: words(`allow_persistent_cookies authentication_redirect cookie_domain iterations max_iterations min_iterations
      password_scheme proxy_use_secret public_fields same_site secret timeout users_db_public x_auth_roles x_auth_token
      x_auth_username`),
  },
];

/**
 * Names as CouchDB writes them, of the options that people set (`default.ini` and the source, 3.5.2). Another case is another
 * option for it.
 * @type {Map<string, Set<string>>}
 */
export const SPELLINGS = new Map([
  [
    'chttpd',
    words(`admin_only_all_dbs allow_jsonp authentication_handlers bind_address buffer_response bulk_get_use_batches
      changes_timeout config_whitelist enable_cors enable_xframe_options max_db_number_for_dbs_info_req
      max_http_request_size max_uri_length port prefer_minimal require_valid_user require_valid_user_except_for_up
      rewrite_limit secure_rewrites server_options socket_options x_forwarded_host x_forwarded_proto x_forwarded_ssl`),
  ],
  [
    'chttpd_auth',
    words(`allow_persistent_cookies authentication_db authentication_redirect cookie_domain hash_algorithms iterations
      max_iterations min_iterations password_regexp password_scheme pbkdf2_prf proxy_use_secret public_fields same_site
      secret timeout upgrade_hash_on_auth users_db_public x_auth_roles x_auth_token x_auth_username`),
  ],
  ['cluster', words('n placement q reconnect_interval_sec seedlist')],
  ['cors', words('credentials headers max_age methods origins')],
  ['couch_peruser', words('database_prefix delete_dbs enable q')],
  [
    'couchdb',
    words(`attachment_stream_buffer_size btree_chunk_size changes_doc_ids_optimization_threshold database_dir
      default_engine default_security enable_database_recovery file_compression js_engine maintenance_mode
      max_attachment_size max_dbs_open max_document_id_length max_document_size max_partition_size os_process_timeout
      single_node stem_interactive_updates update_lru_on_read uri_file users_db_security_editable uuid view_index_dir`),
  ],
  ['ken', words('batch_channels concurrency incremental_channels limit max_incremental_updates prune_interval')],
  ['log', words('file level max_message_size syslog_appid syslog_facility syslog_host syslog_port writer')],
  ['native_query_servers', words('enable_erlang_query_server')],
  [
    'query_server_config',
    words(`commit_freq os_process_idle_limit os_process_limit os_process_soft_limit partition_query_limit query_limit
      reduce_limit reduce_limit_ratio reduce_limit_threshold`),
  ],
  [
    'replicator',
    words(`auth_plugins cert_file checkpoint_interval connection_timeout http_connections interval key_file max_churn
      max_jobs request_timeout retries_per_request socket_options ssl_certificate_max_depth startup_jitter
      ssl_trusted_certificates_file use_bulk_get use_checkpoints verify_ssl_certificates worker_batch_size
      worker_processes`),
  ],
  ['ssl', words('cacert_file cert_file ciphers enable key_file password port tls_versions verify_ssl_certificates')],
  ['uuids', words('algorithm max_count utc_id_suffix')],
]);

/**
 * @param {string} text
 * @returns {Set<string>}
 */
function words(text) {
  return new Set(text.split(/\s+/));
}
