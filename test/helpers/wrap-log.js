// Puts around each line of a log what Docker, Kubernetes and collectors of logs put there, as their documentation says. What programs of this system write
// is in fixtures/logs-wrapped, made by them.

const TIME = '2026-11-21T02:46:30.123456789Z';

/** @param {(line: string) => string} each @returns {(text: string) => string} */
const lines = (each) => (text) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => `${each(line)}\n`)
    .join('');

/**
 * The encoder of Docker's json-file (daemon/logger/jsonfilelog/jsonlog/jsonlogbytes.go) escapes these three as well.
 * @param {string} text
 */
const dockerString = (text) =>
  JSON.stringify(text).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

/** Pieces of 16 KB, as containerd and Docker cut them; of 40 bytes here. @param {string} line */
const pieces = (line) => line.match(/.{1,40}/gs) ?? [''];

/** By what `digest` calls it. @type {Record<string, (text: string) => string>} */
export const WRAPPERS = {
  // docs.docker.com/engine/logging/drivers/json-file
  'docker json-file': lines((line) => `{"log":${dockerString(`${line}\n`)},"stream":"stderr","time":"${TIME}"}`),
  'docker json-file, pieces': lines((line) =>
    pieces(line)
      .map((piece, at, all) => {
        const log = dockerString(at === all.length - 1 ? `${piece}\n` : piece);
        return `{"log":${log},"stream":"stderr","time":"${TIME}"}`;
      })
      .join('\n'),
  ),
  // docs.docker.com/reference/cli/docker/compose/logs
  'docker compose': lines((line) => `couchdb-1  | ${line}`),
  'docker compose, times': lines((line) => `couchdb-1  | ${TIME} ${line}`),
  'docker compose, colors': lines((line) => `\u001b[36mcouchdb-1  | \u001b[0m${line}`),
  'docker compose, ANSI colors': lines((line) => `couchdb-1  | \u001b[33m${line.slice(0, 5)}\u001b[0m${line.slice(5)}`),
  // github.com/kubernetes/design-proposals-archive/blob/main/node/kubelet-cri-logging.md
  CRI: lines((line) => `${TIME} stderr F ${line}`),
  'CRI, pieces': lines((line) =>
    pieces(line)
      .map((piece, at, all) => `${TIME} stderr ${at === all.length - 1 ? 'F' : 'P'} ${piece}`)
      .join('\n'),
  ),
  // kubernetes.io/docs/reference/kubectl/generated/kubectl_logs
  'kubectl --prefix': lines((line) => `[pod/couchdb-0/couchdb] ${line}`),
  'kubectl --prefix, times': lines((line) => `[pod/couchdb-0/couchdb] ${TIME} ${line}`),
  timestamps: lines((line) => `${TIME} ${line}`),
  // grafana.com/docs/loki/latest/query/logcli: -o jsonl
  'JSON (line)': lines((line) =>
    JSON.stringify({ labels: { container: 'couchdb', pod: 'couchdb-0' }, line, timestamp: TIME }),
  ),
  // cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry
  'JSON (jsonPayload.message)': lines((line) =>
    JSON.stringify({
      insertId: 'q1',
      jsonPayload: { level: 'notice', message: line },
      logName: 'projects/shop/logs/couchdb',
    }),
  ),
  'JSON (textPayload)': lines((line) => JSON.stringify({ insertId: 'q1', textPayload: line, timestamp: TIME })),
  // www.elastic.co/docs/reference/beats/filebeat, as elasticdump exports it
  'JSON (_source.message)': lines((line) =>
    JSON.stringify({
      _index: 'filebeat',
      _source: {
        '@timestamp': TIME,
        log: { offset: 7, message: 'none' },
        container: { name: 'couchdb' },
        message: line,
      },
    }),
  ),
  // docs.fluentbit.io/manual/pipeline/inputs/tail on a CRI file that no parser took apart
  'JSON (log), CRI': lines((line) => `${JSON.stringify({ date: 1795228000.1, log: `${TIME} stderr F ${line}` })}`),
  syslog: lines((line) => `<29>Nov 21 02:46:30 host couchdb[77]: ${line}`),
};
